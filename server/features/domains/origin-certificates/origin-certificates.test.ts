import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import type { DomainFilter } from '#shared/features/domains/schema.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { createLog } from '#server/platform/log.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { deleteCertificate, upsertCertificate } from './origin-certificates.repo.ts'
import { createSigningRequest } from './signing-request.ts'

let panel: TestPanel
let app: FastifyInstance
let anna: SignedIn
let boris: SignedIn
let sim: SimZone
let id: string
let accountId: string
const logged: string[] = []
const dayMs = 86_400_000

beforeAll(async () => {
  panel = await createTestPanel({
    world: { zones: 12, accounts: 1, recordsPerZone: 2 },
    log: createLog('trace', { write: (line) => void logged.push(line) }),
  })
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

beforeEach(async () => {
  panel.simulator.reset()
  logged.length = 0
  await emptyTables(panel.services.db, 'users', 'activity')
  anna = await signIn(panel.services, { name: 'Anna', role: 'user' })
  boris = await signIn(panel.services, { name: 'Boris', role: 'user' })
  sim = zoneAt(0)
  accountId = await addAccount()
  id = await add(sim)
})

async function addAccount(apiToken?: string): Promise<string> {
  const { services } = panel
  const { email, globalKey } = panel.credential(0)
  const account = await insertAccount(
    services.db,
    { ownerId: anna.user.id, email, kind: apiToken === undefined ? 'global_key' : 'api_token' },
    { secrets: services.secrets, apiKey: apiToken ?? globalKey },
  )
  return account.id
}

const add = async (zone: SimZone, account = accountId) =>
  (await insertZone(panel.services.db, { ownerId: anna.user.id, accountId: account, providerZoneId: zone.id, name: zone.name })).id

function zoneAt(index: number): SimZone {
  const zone = [...panel.simulator.state.zonesById.values()][index]
  if (zone === undefined) throw new Error(`no zone ${index}`)
  return zone
}

const issue = (more: object = {}) => anna.call.originCertificates.issue({ id, ...more })
const list = async (fresh = true) => (await anna.call.originCertificates.list({ id, fresh })).certificates
const atProvider = () => [...panel.simulator.state.originCertificates.values()]
const posts = () => panel.simulator.journal.count({ method: 'POST', path: '/certificates' })
const rest = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object, headers: Record<string, string> = {}) =>
  app.inject({ method, url: `/api${path}`, headers: { ...anna.headers, ...headers }, ...(payload === undefined ? {} : { payload }) })
const activity = () =>
  panel.services.db.sql<
    { action: string; name: string; details: object }[]
  >`select action::text, entity_name as name, details from activity where entity_type = 'zone' order by id`
const fault = (effect: Parameters<TestPanel['simulator']['faults']['add']>[0]['effect'], method = 'POST') =>
  panel.simulator.faults.add({ method, path: '/certificates*', effect, times: 1 })
/** Everything in the database, as text. */
async function storedText(): Promise<string> {
  const { sql } = panel.services.db
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  const rows = await Promise.all(tables.map(({ name }) => sql<{ row: string }[]>`select t::text as row from ${sql(name)} t`))
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}
/** A line in the middle of a key, which no other text has. */
const partOf = (pem: string) => pem.split('\n')[1] ?? ''

describe('issuing', () => {
  test.each([
    ['rsa', 'rsa'],
    ['ecc', 'ec'],
  ] as const)('an %s key fits its certificate, which is for the domain and its subdomains', async (keyType, type) => {
    const { certificate, privateKey } = await issue({ keyType, validityDays: 365 })
    const key = createPrivateKey(privateKey)
    expect(key.asymmetricKeyType).toBe(type)
    const found = new X509Certificate(certificate.pem ?? '')
    expect(found.checkPrivateKey(key)).toBe(true)
    expect(found.subjectAltName).toBe(`DNS:${sim.name}, DNS:*.${sim.name}`)
    expect(certificate).toMatchObject({
      hostnames: [sim.name, `*.${sim.name}`],
      type: keyType,
      validityDays: 365,
      state: 'active',
      hasKey: false,
    })
    expect(certificate.expiresAt).toBe(found.validToDate.toISOString())
    expect(await list()).toMatchObject([{ id: certificate.id, serial: certificate.serial }])
    expect((await activity()).at(-1)).toMatchObject({
      action: 'update',
      name: sim.name,
      details: { originCertificate: 'issued', hostnames: [sim.name, `*.${sim.name}`] },
    })
  })

  test('the private key is in one response only: not in the database, the log, a list, or a repeated call, and never cached', async () => {
    const answer = await rest('POST', `/zones/${id}/origin-certificates`, {})
    expect(answer.statusCode).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    const { privateKey, certificate } = answer.json<{ privateKey: string; certificate: { id: string } }>()
    const part = partOf(privateKey)
    expect(part).toHaveLength(64)
    const later = await rest('GET', `/zones/${id}/origin-certificates/${certificate.id}`)
    for (const text of [later.body, JSON.stringify(await list()), await storedText(), logged.join('\n')]) {
      expect(text).not.toContain(part)
      expect(text).not.toContain('PRIVATE KEY')
    }
    expect(later.body).toContain('BEGIN CERTIFICATE')
    expect(await panel.services.db.sql`select id from origin_certificates where key_sealed is not null`).toEqual([])
    await expect(anna.call.originCertificates.reveal({ id, certificateId: certificate.id })).rejects.toThrow('not_found')
    const keyed = await rest('POST', `/zones/${id}/origin-certificates`, {}, { 'idempotency-key': 'one' })
    expect(keyed.json()).toMatchObject({ issues: [{ path: 'Idempotency-Key' }] })
  })

  test('a kept key is stored encrypted, revealed to the owner after step-up authentication with an entry in the log, and can be deleted', async () => {
    const { certificate, privateKey } = await issue({ keyType: 'ecc', keepKey: true })
    expect(certificate.hasKey).toBe(true)
    const text = await storedText()
    expect(text).not.toContain(partOf(privateKey))
    expect(text).not.toContain('PRIVATE KEY')
    const target = { id, certificateId: certificate.id }
    expect(await anna.call.originCertificates.reveal(target)).toEqual({ privateKey })
    expect((await activity()).map(({ action, details }) => ({ action, details }))).toMatchObject([
      { action: 'update', details: { originCertificate: 'issued_key_kept' } },
      { action: 'reveal', details: { originCertificate: 'key_shown' } },
    ])
    expect(logged.join('\n')).not.toContain(partOf(privateKey))
    await panel.services.db.sql`update sessions set verified_at = now() - interval '1 hour'`
    const late = await rest('POST', `/zones/${id}/origin-certificates/${certificate.id}/private-key`)
    expect(late.json()).toMatchObject({ code: 'confirmation_needed' })
    await anna.call.originCertificates.forgetKey(target)
    expect(await list()).toMatchObject([{ id: certificate.id, hasKey: false }])
    await expect(anna.call.originCertificates.reveal(target)).rejects.toThrow('not_found')
    expect((await activity()).at(-1)?.details).toMatchObject({ originCertificate: 'key_deleted' })
  })

  test('your own signing request keeps the key with you; one that is no request, contains a key, or is not signed by it is refused', async () => {
    const { csr, privateKey } = await createSigningRequest('rsa', [sim.name])
    const { certificate } = await anna.call.originCertificates.sign({ id, csr, hostnames: [`api.${sim.name}`], validityDays: 7 })
    expect(certificate).toMatchObject({ hostnames: [`api.${sim.name}`], type: 'rsa', hasKey: false })
    expect(new X509Certificate(certificate.pem ?? '').checkPrivateKey(createPrivateKey(privateKey))).toBe(true)
    const sent = posts()
    const sign = (text: string) => anna.call.originCertificates.sign({ id, csr: text, validityDays: 7 })
    const refused = (message: string) => ({ cause: { issues: [{ path: 'csr', message }] } })
    await expect(sign('nothing')).rejects.toMatchObject(refused('invalid_csr'))
    await expect(sign(`${csr}\n${privateKey}`)).rejects.toMatchObject(refused('csr_with_key'))
    const der = Buffer.from(csr.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64')
    der[der.length - 3] = (der.at(-3) ?? 0) ^ 1
    await expect(
      sign(`-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`),
    ).rejects.toMatchObject(refused('invalid_csr'))
    expect(posts()).toBe(sent)
  })

  test('hostnames of another domain are refused before anything is sent, also if the account has it', async () => {
    const other = zoneAt(1).name
    for (const hostname of [other, `not${sim.name}`, `*.*.${sim.name}`, `a.*.${sim.name}`]) {
      const refusal = issue({ hostnames: [sim.name, hostname] })
      await expect(refusal).rejects.toMatchObject({ cause: { issues: [{ path: 'hostnames.1', message: 'foreign_hostname' }] } })
    }
    expect(posts()).toBe(0)
    expect((await issue({ keyType: 'ecc', hostnames: ['Пример.', ''].map((part) => `${part}${sim.name}`) })).certificate.hostnames).toEqual(
      [`xn--e1afmkfd.${sim.name}`, sim.name],
    )
  })

  test("a refusal has Cloudflare's words, and a key that was to be kept is deleted", async () => {
    const reader = await add(zoneAt(1), await addAccount(panel.credential(0).readOnlyToken))
    await expect(anna.call.originCertificates.issue({ id: reader, keyType: 'ecc', keepKey: true })).rejects.toMatchObject({
      cause: { code: 'provider_forbidden', provider: { code: '1016', message: 'User is not authorized to perform this action' } },
    })
    panel.simulator.state.removeZone(sim.id)
    await expect(issue({ keyType: 'ecc', keepKey: true })).rejects.toMatchObject({
      cause: {
        code: 'provider_rejected',
        provider: { code: '1010', message: expect.stringContaining(`Failed to validate requested hostname ${sim.name}`) as string },
      },
    })
    expect(await panel.services.db.sql`select id from origin_certificates`).toEqual([])
  })
})

describe('a lost response', () => {
  test.each([{ kind: 'timeout-after-write', holdMs: 20 }, { kind: 'malformed-json' }, { kind: 'error-after-write' }] as const)(
    'the certificate is found by its public key, and the key is returned: $kind',
    async (effect) => {
      fault(effect)
      const { certificate, privateKey } = await issue({ keyType: 'ecc' })
      expect(atProvider()).toMatchObject([{ id: certificate.serial }])
      expect(new X509Certificate(certificate.pem ?? '').checkPrivateKey(createPrivateKey(privateKey))).toBe(true)
    },
  )

  test('if it cannot be found either, the error says that the key is lost', async () => {
    fault({ kind: 'timeout-after-write', holdMs: 20 })
    panel.simulator.faults.add({ method: 'GET', path: '/certificates', effect: { kind: 'forbidden' }, times: 1 })
    await expect(issue({ keyType: 'ecc' })).rejects.toThrow('origin_certificate_unclear')
    expect(posts()).toBe(1)
    // Visible, so that it can be revoked.
    expect(await list()).toMatchObject([{ serial: atProvider()[0]?.id, hasKey: false }])
  })

  test('a key that was to be kept waits for its certificate, which the next reading finds', async () => {
    fault({ kind: 'timeout-after-write', holdMs: 20 })
    panel.simulator.faults.add({ method: 'GET', path: '/certificates', effect: { kind: 'forbidden' }, times: 1 })
    await expect(issue({ keyType: 'ecc', keepKey: true })).rejects.toThrow('origin_certificate_unclear_kept')
    const [pending] = await panel.services.db.sql<{ id: string }[]>`select id from origin_certificates where serial is null`
    const certificateId = pending?.id ?? ''
    await expect(anna.call.originCertificates.revoke({ id, certificateId })).rejects.toThrow('origin_certificate_pending')
    const [found] = await list()
    expect(found).toMatchObject({ id: certificateId, serial: atProvider()[0]?.id, state: 'active', hasKey: true })
    const { privateKey } = await anna.call.originCertificates.reveal({ id, certificateId })
    const { certificate } = await anna.call.originCertificates.get({ id, certificateId })
    expect(new X509Certificate(certificate.pem ?? '').publicKey.equals(createPublicKey(privateKey))).toBe(true)
  })

  test('a key whose certificate was never issued stays for an hour, shown as unknown', async () => {
    await issue({ keyType: 'ecc', keepKey: true })
    const { sql } = panel.services.db
    panel.simulator.state.originCertificates.clear()
    await sql`update origin_certificates set serial = null`
    expect(await list()).toMatchObject([{ state: 'unknown', hasKey: true }])
    await sql`update origin_certificates set created_at = now() - interval '61 minutes'`
    expect(await list()).toEqual([])
  })
})

describe('reading', () => {
  test('the first call reads every page; later ones return what was read, until fresh ones are requested', async () => {
    const { csr } = await createSigningRequest('ecc', [sim.name])
    for (let n = 0; n < 3; n += 1) await anna.call.originCertificates.sign({ id, csr, validityDays: 90 })
    const gets = () => panel.simulator.journal.count({ method: 'GET', path: '/certificates' })
    expect(await list(false)).toHaveLength(3)
    expect(await list(false)).toHaveLength(3)
    expect(gets()).toBe(1)
    panel.simulator.state.originCertificates.clear()
    expect(await list(false)).toHaveLength(3)
    expect(await list()).toEqual([])
    expect(gets()).toBe(2)
  })

  test('a certificate that was revoked elsewhere disappears; with a kept key it stays, marked, until it is revoked in the panel', async () => {
    await issue({ keyType: 'ecc' })
    const kept = (await issue({ keyType: 'ecc', keepKey: true })).certificate
    for (const each of atProvider()) each.revokedOnMs = Date.now()
    expect(await list()).toMatchObject([{ id: kept.id, state: 'unlisted', hasKey: true }])
    await anna.call.originCertificates.revoke({ id, certificateId: kept.id })
    expect(await list()).toEqual([])
  })

  test('a missing permission is an error in Cloudflare’s words; what was read before stays', async () => {
    await issue({ keyType: 'ecc' })
    await list()
    fault({ kind: 'forbidden' }, 'GET')
    await expect(list()).rejects.toThrow('provider_forbidden')
    expect(await list(false)).toHaveLength(1)
  })

  test('all domains by expiration date, in pages, only those that the caller may see', async () => {
    const second = zoneAt(1)
    const other = await add(second)
    await issue({ keyType: 'ecc', validityDays: 90 })
    await anna.call.originCertificates.issue({ id: other, keyType: 'ecc', validityDays: 7 })
    const first = await anna.call.originCertificates.expiring({ limit: 1 })
    expect(first.certificates).toMatchObject([{ zoneId: other, name: second.name, validityDays: 7 }])
    const next = await anna.call.originCertificates.expiring({ limit: 1, cursor: first.nextCursor ?? '' })
    expect(next.certificates).toMatchObject([{ zoneId: id, name: sim.name }])
    const to = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    expect((await anna.call.originCertificates.expiring({ to })).certificates).toHaveLength(1)
    expect((await boris.call.originCertificates.expiring({})).certificates).toEqual([])
  })
})

describe('lists of domains', () => {
  const shown = async (filter: DomainFilter = {}) => {
    const { domains } = await anna.call.domains.list({ filter })
    const found = domains.find((each) => each.id === id)
    return found === undefined ? null : [found.originCertificate, found.originCertificateExpiresAt]
  }
  const order = (validityDays: 7 | 30 | 90 | 365, hostnames?: string[]) =>
    issue({ keyType: 'ecc', validityDays, ...(hostnames === undefined ? {} : { hostnames }) }).then(({ certificate }) => certificate)
  const revoke = (certificateId: string) => anna.call.originCertificates.revoke({ id, certificateId })
  /** As if certificates of a week had been issued so many days ago. */
  const age = async (days: number) => {
    for (const each of atProvider())
      if (each.validityDays === 7)
        panel.simulator.state.originCertificates.set(each.id, { ...each, expiresOnMs: each.expiresOnMs - days * dayMs })
    await list()
  }

  test('show and find the nearest expiry: unknown until it is read, then as certificates are issued and revoked, here or elsewhere', async () => {
    expect(await shown()).toEqual([null, null])
    await list(false)
    expect(await shown({ originCertificate: 'none' })).toEqual(['none', null])
    const far = await order(365, [sim.name])
    expect(await shown({ originCertificate: 'valid' })).toEqual(['valid', far.expiresAt])
    const near = await order(7, [`api.${sim.name}`])
    expect(await shown({ originCertificate: 'valid' })).toEqual(['valid', near.expiresAt])
    await age(5)
    expect((await shown({ originCertificate: 'expires_soon' }))?.[0]).toBe('expires_soon')
    expect(await shown({ originCertificate: 'valid' })).toBeNull()
    await revoke(near.id)
    expect(await shown({ originCertificate: 'valid' })).toEqual(['valid', far.expiresAt])
    for (const each of atProvider()) each.revokedOnMs = Date.now()
    await list()
    expect(await shown({ originCertificate: 'none' })).toEqual(['none', null])
  })

  test('a certificate of seven days expires soon in its last third, one of a year thirty days before; a new one ends that', async () => {
    await list(false)
    await order(7)
    expect((await shown({ originCertificate: 'valid' }))?.[0]).toBe('valid')
    await age(4)
    expect((await shown({ originCertificate: 'valid' }))?.[0]).toBe('valid')
    await age(1)
    expect((await shown({ originCertificate: 'expires_soon' }))?.[0]).toBe('expires_soon')
    await order(7)
    expect((await shown({ originCertificate: 'valid' }))?.[0]).toBe('valid')
    expect(await shown({ originCertificate: 'expires_soon' })).toBeNull()
    const year = await order(365, [`year.${sim.name}`])
    const ended = (leftDays: number) => {
      const each = atProvider().find(({ id: serial }) => serial === year.serial)
      if (each !== undefined) panel.simulator.state.originCertificates.set(each.id, { ...each, expiresOnMs: Date.now() + leftDays * dayMs })
      return list()
    }
    await ended(31)
    expect((await shown())?.[0]).toBe('valid')
    // The other one expires first, but this one is in its window.
    await ended(29)
    expect((await shown({ originCertificate: 'expires_soon' }))?.[0]).toBe('expires_soon')
  })

  test('stay unknown after a certificate is issued for a domain whose other certificates were never read', async () => {
    const old = await order(7, [`old.${sim.name}`])
    await panel.services.db.sql`delete from origin_certificates`
    await order(365, [sim.name])
    expect(await shown()).toEqual([null, null])
    await list(false)
    expect(await shown()).toEqual(['valid', old.expiresAt])
  })

  test('show no stale expiry when a certificate is deleted while another one is written', async () => {
    await list(false)
    const near = await order(7, [`api.${sim.name}`])
    await order(365, [sim.name])
    const { orm, sql } = panel.services.db
    const expiresAt = new Date('2027-06-01T00:00:00.000Z')
    const certificate = {
      serial: 'mid',
      hostnames: [`mid.${sim.name}`],
      type: 'ecc',
      validityDays: 90,
      expiresAt,
      expiresSoonAt: expiresAt,
    }
    const read = { ...certificate, certificate: null, publicKeyHash: null }
    let writing: Promise<unknown> = Promise.resolve()
    await orm.transaction(async (tx) => {
      await deleteCertificate(tx, near.id)
      writing = orm.transaction((other) => upsertCertificate(other, id, read))
      await expect
        .poll(() => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`, { timeout: 5_000 })
        .not.toHaveLength(0)
    })
    await writing
    expect(await shown()).toEqual(['valid', expiresAt.toISOString()])
  })

  test('a certificate that expires later renews those whose hostnames it covers, and no others', async () => {
    await list(false)
    const old = await order(7, [sim.name, `www.${sim.name}`])
    await order(90, [sim.name])
    expect(await shown()).toEqual(['valid', old.expiresAt])
    const deep = await order(30, [`a.b.${sim.name}`])
    const renewed = await order(365)
    expect(await shown()).toEqual(['valid', deep.expiresAt])
    await revoke(deep.id)
    expect(await shown()).toEqual(['valid', renewed.expiresAt])
    // Without it, the old one counts again.
    await revoke(renewed.id)
    expect(await shown()).toEqual(['valid', old.expiresAt])
  })

  test('an expired one stays until it is renewed or revoked; one that Cloudflare no longer lists does not count', async () => {
    const kept = (await issue({ keyType: 'ecc', validityDays: 7, keepKey: true })).certificate
    const [each] = atProvider()
    if (each !== undefined) panel.simulator.state.originCertificates.set(each.id, { ...each, expiresOnMs: Date.now() - 60_000 })
    await list()
    expect((await shown({ originCertificate: 'expired' }))?.[0]).toBe('expired')
    for (const revoked of atProvider()) revoked.revokedOnMs = Date.now()
    expect(await list()).toMatchObject([{ id: kept.id, state: 'unlisted' }])
    expect(await shown()).toEqual(['none', null])
  })
})

describe('revoking', () => {
  test('revokes at Cloudflare and deletes the kept key; the typed hostname must be that of the certificate', async () => {
    const { certificate } = await issue({ keyType: 'ecc', keepKey: true })
    const target = { id, certificateId: certificate.id }
    await expect(anna.call.originCertificates.revoke({ ...target, hostname: 'other.example' })).rejects.toThrow('name_mismatch')
    expect(atProvider()).toMatchObject([{ revokedOnMs: null }])
    expect((await rest('DELETE', `/zones/${id}/origin-certificates/${certificate.id}?hostname=${sim.name.toUpperCase()}`)).statusCode).toBe(
      204,
    )
    expect(atProvider()[0]?.revokedOnMs).not.toBeNull()
    expect(await panel.services.db.sql`select id from origin_certificates`).toEqual([])
    expect((await activity()).at(-1)).toMatchObject({ details: { originCertificate: 'revoked' } })
  })

  test('a lost response to revoking is repeated, and one that is revoked already counts as revoked', async () => {
    const { certificate } = await issue({ keyType: 'ecc' })
    fault({ kind: 'error-after-write' }, 'DELETE')
    await anna.call.originCertificates.revoke({ id, certificateId: certificate.id })
    expect(await list()).toEqual([])
  })
})

test('another user’s domain and its certificates are not found', async () => {
  const { certificate } = await issue({ keyType: 'ecc', keepKey: true })
  const target = { id, certificateId: certificate.id }
  const { csr } = await createSigningRequest('ecc', [sim.name])
  const { originCertificates } = boris.call
  const attempts = [
    () => originCertificates.list({ id }),
    () => originCertificates.get(target),
    () => originCertificates.issue({ id }),
    () => originCertificates.sign({ id, csr }),
    () => originCertificates.revoke(target),
    () => originCertificates.reveal(target),
    () => originCertificates.forgetKey(target),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow('not_found')
  // Nor through a domain of one's own.
  const own = await insertZone(panel.services.db, {
    ownerId: boris.user.id,
    accountId: (await insertAccount(panel.services.db, { ownerId: boris.user.id })).id,
  })
  await expect(originCertificates.reveal({ id: own.id, certificateId: certificate.id })).rejects.toThrow('not_found')
  await expect(originCertificates.get({ id: own.id, certificateId: certificate.id })).rejects.toThrow('not_found')
  expect(posts()).toBe(1)
})
