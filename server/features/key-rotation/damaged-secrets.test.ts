import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { originKeyContext } from '#server/features/domains/origin-certificates/index.ts'
import { syncDueTrackers } from '#server/features/trackers/index.ts'
import { createLog } from '#server/platform/log.ts'
import { answerOnce } from '#server/platform/idempotency.ts'
import { fromBase32 } from '#server/testing/authenticator.ts'
import { callAs, signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { anna } from '#server/testing/buying-stage.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { porkbunKeys } from '#server/testing/test-registrars.ts'
import { totpCode } from '#server/features/two-factor/totp.policy.ts'
import { syncDueRegistrars } from '#server/features/registrars/index.ts'
import { encryptedColumns } from './encrypted-columns.ts'

const logged: string[] = []
let panel: TestPanel
let ann: SignedIn

beforeAll(async () => {
  const log = createLog('warn', { write: (line) => void logged.push(line) })
  panel = await createTestPanel({ world: { zones: 2 }, registrarNames: [], trackers: true, log })
  ann = await signIn(panel.services)
})
afterAll(() => panel.close())

const damaged = new Set<string>()
/** Simulates a corrupted disk or a changed secret key. */
async function damage(table: string, column: string): Promise<void> {
  damaged.add(`${table}.${column}`)
  await panel.services.db.sql.unsafe(`update ${table} set ${column} = left(${column}, 30) || reverse(substr(${column}, 31)) || 'AAAA'`)
}

const names = (secret: string, name: string) => ({ cause: { code: 'secret_unreadable', params: { secret, name } } })
const never = AbortSignal.any([])

test('R-PRM-04 an account whose key cannot be decrypted reports it in its health and every call, and works after the same key is entered again', async () => {
  const { email, globalKey } = panel.credential(0)
  const { id } = (await ann.call.accounts.add({ email, apiKey: globalKey, password: 'of the account' })).account
  const zone = await insertZone(panel.services.db, { ownerId: ann.user.id, accountId: id, name: 'damaged.example' })
  await damage('accounts', 'api_key_sealed')
  await damage('accounts', 'password_sealed')
  await expect(ann.call.accounts.reveal({ id })).rejects.toMatchObject({ cause: { code: 'secret_unreadable' } })
  await expect(ann.call.records.refresh({ id: zone.id })).rejects.toMatchObject(names('account_key', email))
  await expect(ann.call.accounts.update({ id, email: 'other@example.com' })).rejects.toMatchObject(names('account_key', email))
  await ann.call.accounts.check({ ids: [id] })
  await panel.startSync()
  const state = async () => (await ann.call.accounts.get({ id })).account
  await vi.waitFor(
    async () => expect(await state()).toMatchObject({ health: 'auth_error', healthCode: 'secret_unreadable', checking: false }),
    30_000,
  )
  await expect.poll(async () => (await state()).sync.state, { timeout: 30_000 }).not.toBe('running')
  expect((await state()).sync).toMatchObject({ errorCode: 'secret_unreadable' })
  // It is retried after an hour, not continuously.
  expect(new Date((await state()).sync.nextAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 1_800_000)
  expect(logged).toEqual([])

  await ann.call.accounts.update({ id, apiKey: globalKey })
  await vi.waitFor(async () => expect(await state()).toMatchObject({ health: 'working', healthCode: null }), 30_000)
  await expect(ann.call.accounts.reveal({ id })).rejects.toMatchObject(names('account_password', email))
  await ann.call.accounts.update({ id, password: 'of the account' })
  expect(await ann.call.accounts.reveal({ id })).toMatchObject({ apiKey: globalKey, password: 'of the account' })
})

test('R-PRM-04 a registrar whose credential cannot be decrypted reports it, its sync ends, and the same credential can be entered again', async () => {
  const given = { name: 'Pork', type: 'API_ENABLED', provider: 'PORKBUN', accountPassword: 'word', ...porkbunKeys } as const
  const { id } = (await ann.call.registrars.create(given)).registrar
  await damage('registrars', 'credential_sealed')
  await damage('registrars', 'account_password_sealed')
  const named = names('registrar_credential', 'Pork')
  await expect(ann.call.registrars.examine({ id })).rejects.toMatchObject(named)
  await expect(ann.call.registrars.reveal({ id })).rejects.toMatchObject(named)
  await expect(ann.call.registrars.update({ id, name: 'Other' })).rejects.toMatchObject(named)
  await ann.call.registrars.sync({ id })
  await syncDueRegistrars(panel.services, never)
  const { registrar } = await ann.call.registrars.get({ id })
  expect(registrar).toMatchObject({ health: 'auth_error', healthCode: 'secret_unreadable', sync: { errorCode: 'secret_unreadable' } })

  await ann.call.registrars.update({ id, ...porkbunKeys })
  await syncDueRegistrars(panel.services, never)
  expect((await ann.call.registrars.get({ id })).registrar).toMatchObject({ health: 'working', sync: { errorCode: null } })
  await expect(ann.call.registrars.reveal({ id })).rejects.toMatchObject(names('registrar_password', 'Pork'))
  expect(logged).toEqual([])
})

test('R-PRM-04 a tracker whose key cannot be decrypted reports it, its sync ends, and another key can be tested and saved', async () => {
  const { trackers } = panel
  if (trackers === null) throw new Error('no trackers')
  const { url, apiKey } = trackers.keitaro
  const { id } = (await ann.call.trackers.create({ kind: 'KEITARO', name: 'Kei', url, apiKey })).tracker
  await damage('trackers', 'api_key_sealed')
  const named = names('tracker_key', 'Kei')
  await expect(ann.call.trackers.test({ id, kind: 'KEITARO' })).rejects.toMatchObject(named)
  await expect(ann.call.trackers.reveal({ id })).rejects.toMatchObject(named)
  await ann.call.trackers.sync({ id })
  await syncDueTrackers(panel.services, never)
  const stateOf = async () => (await ann.call.trackers.get({ id })).tracker.sync
  expect(await stateOf()).toMatchObject({ errorCode: 'secret_unreadable' })
  expect((await ann.call.trackers.test({ id, kind: 'KEITARO', url, apiKey })).test.ok).toBe(true)
  await ann.call.trackers.update({ id, apiKey })
  await syncDueTrackers(panel.services, never)
  expect(await stateOf()).toMatchObject({ errorCode: null })
  expect(logged).toEqual([])
})

test('R-PRM-04 a kept key of an origin certificate that cannot be decrypted is reported when it is to be revealed', async () => {
  const { db, secrets } = panel.services
  const account = await insertAccount(db, { ownerId: ann.user.id }, { secrets, apiKey: 'key' })
  const { id } = await insertZone(db, { ownerId: ann.user.id, accountId: account.id, name: 'kept.example' })
  const certificateId = randomUUID()
  await db.sql`
    insert into origin_certificates (id, zone_id, hostnames, type, key_sealed)
    values (${certificateId}, ${id}, '{kept.example}', 'rsa', ${secrets.encrypt('a private key', originKeyContext(certificateId))})`
  expect(await ann.call.originCertificates.reveal({ id, certificateId })).toEqual({ privateKey: 'a private key' })
  await damage('origin_certificates', 'key_sealed')
  await expect(ann.call.originCertificates.reveal({ id, certificateId })).rejects.toMatchObject(names('origin_key', 'kept.example'))
})

test('R-PRM-04 a contact that cannot be decrypted is listed with the others and can be replaced as a whole', async () => {
  const { contacts } = ann.call.buying
  const { contact } = await contacts.create({ name: 'Anna', ...anna })
  await damage('contacts', 'details_sealed')
  await contacts.create({ name: 'Bert', ...anna })
  expect((await contacts.list({})).contacts.map(({ name, unreadable, email }) => [name, unreadable, email])).toEqual([
    ['Anna', true, ''],
    ['Bert', false, anna.email],
  ])
  await expect(contacts.update({ id: contact.id, city: 'Riga' })).rejects.toMatchObject(names('contact', 'Anna'))
  const whole = { organization: null, ...anna, city: 'Riga' }
  expect((await contacts.update({ id: contact.id, ...whole })).contact).toMatchObject({ unreadable: false, city: 'Riga' })
})

test('R-PRM-04 a webhook and a chat whose secrets cannot be decrypted report it when they are tested', async () => {
  const { sql } = panel.services.db
  const encrypted = panel.services.secrets.encrypt('secret', 'none')
  await sql`insert into monitor_settings (owner_id, options, notices, bot_token_sealed) values (${ann.user.id}, '{}', '{}', ${encrypted})`
  const ids = await sql<{ id: string }[]>`
    insert into alert_channels (owner_id, kind, name, chat_id, url, url_sealed, secret_sealed) values
      (${ann.user.id}, 'telegram', 'chat', '1', null, null, null),
      (${ann.user.id}, 'webhook', 'program', null, 'hooks.example', ${encrypted}, ${encrypted}) returning id`
  for (const column of ['url_sealed', 'secret_sealed']) await damage('alert_channels', column)
  await damage('monitor_settings', 'bot_token_sealed')
  for (const { id } of ids) expect((await ann.call.alerts.testChannel({ id })).failure).toMatchObject({ code: 'secret_lost' })
})

test('R-PRM-04 a second factor and a stored response that cannot be decrypted are reported', async () => {
  const { services } = panel
  const { ticket, secret } = await ann.call.twoFactor.startTotp()
  const step = () => Math.floor(services.clock.now() / 30_000)
  const code = () => totpCode(fromBase32(secret), step())
  await ann.call.twoFactor.confirmTotp({ ticket, code: code() })
  await damage('totp', 'secret_sealed')
  const asked = await callAs(services, null).auth.login({ email: ann.user.email, password: 'correct horse' })
  if (!('secondFactor' in asked)) throw new Error('no second factor was asked for')
  const answer = { method: 'totp', ticket: asked.secondFactor.ticket, code: code() } as const
  await expect(callAs(services, null).auth.secondFactor(answer)).rejects.toMatchObject(names('second_factor', ''))

  const call = { userId: ann.user.id, key: 'once', request: {} }
  const run = () => Promise.resolve({ status: 200, text: 'answered' })
  expect(await answerOnce(services, call, run)).toMatchObject({ text: 'answered', replayed: false })
  await services.db.sql`update idempotency_keys set answer = to_jsonb('v1.AAAA'::text)`
  await expect(answerOnce(services, call, run)).rejects.toMatchObject(names('kept_answer', 'once').cause)
})

test('R-PRM-04 every column with an encrypted secret is damaged in a test above', () => {
  const all = encryptedColumns.map(({ table, column }) => `${table}.${column}`)
  expect([...damaged].toSorted()).toEqual(all.toSorted())
})
