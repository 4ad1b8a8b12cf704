import { afterEach, expect, test } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { porkbunKeys, startTestRegistrars } from '#server/testing/test-registrars.ts'
import type { TestRegistrars } from '#server/testing/test-registrars.ts'
import { syncDueRegistrars } from './index.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

interface Stage extends TestServices, TestRegistrars {
  sync(): Promise<void>
}

async function stage(names: readonly string[] = []): Promise<Stage> {
  const database = await createTestDatabase()
  const world = await startTestRegistrars(database, names)
  const services = await createTestServices({ database, registrars: world.registrars })
  closers.push(() => services.close())
  return { ...services, ...world, sync: () => syncDueRegistrars(services.services, new AbortController().signal) }
}

const porkbun = { name: 'Pork', type: 'API_ENABLED', provider: 'PORKBUN', ...porkbunKeys } as const
const byHand = { name: 'By hand', username: 'anna', password: 'long-secret-word' } as const

test('R-REG-01 R-REG-02 a manual registrar requires a username and a password, an API registrar the fields of its provider', async () => {
  const { services } = await stage()
  const { call } = await signIn(services)
  const missing = (path: string) => ({
    cause: { code: 'validation_failed', issues: expect.arrayContaining([{ path, message: 'required' }]) as unknown },
  })
  await expect(call.registrars.create({ name: 'Empty' })).rejects.toMatchObject(missing('username'))
  await expect(call.registrars.create({ ...byHand, name: 'Whole' })).resolves.toBeDefined()
  await expect(call.registrars.create({ ...byHand, name: '  ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(call.registrars.create({ ...porkbun, apiSecret: '' })).rejects.toMatchObject(missing('apiSecret'))
  await expect(call.registrars.create({ ...porkbun, provider: 'NAMECHEAP' })).rejects.toMatchObject(missing('clientIp'))
  await expect(call.registrars.create({ ...porkbun, provider: 'REGRU' })).rejects.toMatchObject(missing('login'))

  const { registrar } = await call.registrars.create({
    ...byHand,
    name: '  By hand  ',
    email: 'me@example.com',
    accountPassword: 'another-secret',
  })
  expect(registrar).toMatchObject({
    name: 'By hand',
    type: 'MANUAL',
    provider: 'NAMECHEAP',
    sandbox: false,
    email: 'me@example.com',
    hasAccountPassword: true,
    credentialFields: ['username', 'password'],
    domainsCount: 0,
  })
})

test('R-REG-01 R-REG-03 a manual registrar can be any company: it has a searchable name and no API', async () => {
  const { services } = await stage()
  const { call } = await signIn(services)
  const refused = (path: string, message: string) => ({ cause: { code: 'validation_failed', issues: [{ path, message }] } })
  const other = { ...byHand, provider: 'OTHER' } as const
  await expect(call.registrars.create({ ...other, company: '  ' })).rejects.toMatchObject(refused('company', 'required'))
  await expect(call.registrars.create({ ...other, company: 'Gandi', type: 'API_ENABLED' })).rejects.toMatchObject(
    refused('provider', 'provider_without_api'),
  )
  const { registrar } = await call.registrars.create({ ...other, company: ' Gandi ', apiUrl: 'https://admin.gandi.net' })
  expect(registrar).toMatchObject({ provider: 'OTHER', company: 'Gandi', type: 'MANUAL', apiUrl: 'https://admin.gandi.net' })
  await call.registrars.create({ ...byHand, name: 'Known', company: 'Nobody' })

  const found = async (search: string) => (await call.registrars.list({ search })).registrars.map(({ name }) => name)
  expect(await found('gand')).toEqual(['By hand'])
  expect(await found('namech')).toEqual(['Known'])
  await expect(call.registrars.examine({ id: registrar.id })).rejects.toMatchObject({ cause: { code: 'registrar_manual' } })

  const { id } = registrar
  await expect(call.registrars.update({ id, company: null })).rejects.toMatchObject(refused('company', 'required'))
  const { registrar: renamed } = await call.registrars.update({ id, company: 'Dynadot' })
  expect(renamed).toMatchObject({ provider: 'OTHER', company: 'Dynadot' })
  // A known company has its own name, whatever was entered before.
  const { registrar: known } = await call.registrars.update({ id, provider: 'GODADDY', username: 'anna', password: 'long-secret-word' })
  expect(known).toMatchObject({ provider: 'GODADDY', company: null })
})

test('R-REG-02 R-REG-03 no response contains a secret, and an edit without a secret keeps the stored one', async () => {
  const { services, sync, account, market } = await stage(['one.com'])
  const { call } = await signIn(services)
  const { registrar } = await call.registrars.create(porkbun)
  const changed = await call.registrars.update({ id: registrar.id, name: 'Renamed', apiKey: '', apiSecret: '  ' })
  expect(changed.registrar).toMatchObject({ name: 'Renamed', credentialFields: ['apiKey', 'apiSecret'] })
  await sync()
  const { registrars } = await call.registrars.list({})
  expect(registrars).toMatchObject([
    { name: 'Renamed', health: 'working', namesCount: 1, balance: { minor: account.balanceMinor, currency: 'USD' } },
  ])
  expect(JSON.stringify([changed, registrars, await call.registrars.get({ id: registrar.id })])).not.toMatch(/k1_of_the_test/)

  // With another key, earlier findings are discarded.
  const next = market.addAccount({ provider: 'PORKBUN', credential: { ...porkbunKeys, apiKey: 'pk1_next' }, names: [] })
  const other = await call.registrars.update({ id: registrar.id, apiKey: 'pk1_next' })
  expect(other.registrar).toMatchObject({ health: 'unknown', balance: null, sync: { state: 'queued' } })
  // Revoked at the registrar.
  market.accounts.splice(market.accounts.indexOf(next), 1)
  await sync()
  expect((await call.registrars.get({ id: registrar.id })).registrar).toMatchObject({
    health: 'auth_error',
    healthCode: 'INVALID_API_KEYS_001',
    sync: { state: 'failed', errorCode: 'registrar_auth' },
  })
})

test('R-REG-02 a key that the registrar refuses is not stored and its message is shown; when the registrar is unreachable, the key is stored untested', async () => {
  const { services, simulator } = await stage()
  const { call } = await signIn(services)
  const refused = {
    cause: { code: 'registrar_auth', provider: { code: 'INVALID_API_KEYS_001', message: expect.stringMatching(/./) as unknown } },
  }
  await expect(call.registrars.create({ ...porkbun, apiKey: 'pk1_wrong' })).rejects.toMatchObject(refused)
  expect((await call.registrars.list({})).registrars).toEqual([])
  const { registrar } = await call.registrars.create(porkbun)
  await expect(call.registrars.update({ id: registrar.id, name: 'Wrong', apiKey: 'pk1_wrong' })).rejects.toMatchObject(refused)
  expect((await call.registrars.get({ id: registrar.id })).registrar).toMatchObject({ name: 'Pork' })
  await simulator.close()
  await expect(call.registrars.update({ id: registrar.id, apiKey: 'pk1_unknown' })).resolves.toMatchObject({
    registrar: { health: 'unknown' },
  })
})

test('R-REG-02 a person can add a registrar account only once, and a key with control characters is refused', async () => {
  const { services, market } = await stage()
  const { call } = await signIn(services)
  market.addAccount({ provider: 'PORKBUN', credential: { ...porkbunKeys, apiKey: 'pk1_other' }, names: [] })
  const { registrar } = await call.registrars.create(porkbun)
  const duplicate = { cause: { code: 'registrar_exists', params: { name: 'Pork' } } }
  await expect(call.registrars.create({ ...porkbun, name: 'Again' })).rejects.toMatchObject(duplicate)
  const other = await call.registrars.create({ ...porkbun, name: 'Other', apiKey: 'pk1_other' })
  await expect(call.registrars.update({ id: other.registrar.id, apiKey: porkbun.apiKey })).rejects.toMatchObject(duplicate)
  // An unchanged registrar is not its own duplicate, and other people may add the same account.
  await expect(call.registrars.update({ id: registrar.id, name: 'Renamed', apiKey: porkbun.apiKey })).resolves.toBeDefined()
  await expect((await signIn(services)).call.registrars.create(porkbun)).resolves.toBeDefined()
  await expect(call.registrars.create({ ...porkbun, apiKey: 'pk1_zzz\r\nX: y' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('R-BUY-04 an administrator, who sees everything, sees a name as bound if anyone has its domain', async () => {
  const { services, sync } = await stage(['theirs.com', 'free.com'])
  const { call } = await signIn(services)
  const admin = await signIn(services, { role: 'admin' })
  await call.registrars.create(porkbun)
  await sync()
  const account = await insertAccount(services.db, { ownerId: admin.user.id })
  await insertZone(services.db, { ownerId: admin.user.id, accountId: account.id, name: 'theirs.com' })
  const unboundOf = async (who: typeof call) => (await who.registrars.names({ which: 'unbound' })).names.map(({ name }) => name)
  expect(await unboundOf(admin.call)).toEqual(['free.com'])
  // The existence and owner of another user's domain are not revealed.
  expect(await unboundOf(call)).toEqual(['free.com', 'theirs.com'])
})

test('R-REG-04 a registrar with attached domains cannot be deleted; the error counts and names them', async () => {
  const { services } = await stage()
  const { call, user } = await signIn(services)
  const { registrar } = await call.registrars.create(byHand)
  const account = await insertAccount(services.db, { ownerId: user.id })
  const zone = await insertZone(services.db, { ownerId: user.id, accountId: account.id, name: 'attached.com' })
  await services.db.sql`update zones set registrar_id = ${registrar.id} where id = ${zone.id}`
  await expect(call.registrars.remove({ id: registrar.id })).rejects.toMatchObject({
    cause: { code: 'registrar_in_use', params: { domains: 1, names: 'attached.com' } },
  })
  await services.db.sql`update zones set registrar_id = null where id = ${zone.id}`
  await call.registrars.remove({ id: registrar.id })
  expect((await call.registrars.list({})).registrars).toEqual([])
})

test('R-REG-05 a sync reads the registrar’s names with their expiry and attaches matching domains', async () => {
  const { services, sync, account } = await stage(['mine.com', 'unbound.com', 'also-unbound.net'])
  const { call, user } = await signIn(services)
  const other = await signIn(services)
  const mine = await insertAccount(services.db, { ownerId: user.id })
  const theirs = await insertAccount(services.db, { ownerId: other.user.id })
  const zone = await insertZone(services.db, { ownerId: user.id, accountId: mine.id, name: 'mine.com' })
  await insertZone(services.db, { ownerId: other.user.id, accountId: theirs.id, name: 'unbound.com' })
  const { registrar } = await call.registrars.create(porkbun)
  await sync()

  expect((await call.registrars.get({ id: registrar.id })).registrar).toMatchObject({
    namesCount: 3,
    domainsCount: 1,
    sync: { state: 'idle' },
  })
  const all = await call.registrars.names({})
  expect(all.names.map(({ name, zoneId: domainId }) => [name, domainId])).toEqual([
    ['also-unbound.net', null],
    ['mine.com', zone.id],
    ['unbound.com', null],
  ])
  expect(all.names[1]?.expiresAt).toBe(new Date(Math.floor((account.names.get('mine.com')?.expiresAtMs ?? 0) / 1000) * 1000).toISOString())

  // R-BUY-04: another user's domain does not count as the caller's.
  const unbound = await call.registrars.names({ which: 'unbound', limit: 1 })
  expect(unbound).toMatchObject({ total: 2, names: [{ name: 'also-unbound.net' }] })
  const next = await call.registrars.names({ which: 'unbound', limit: 1, cursor: unbound.nextCursor ?? '' })
  expect(next.names.map(({ name }) => name)).toEqual(['unbound.com'])
  expect((await other.call.registrars.names({})).names).toEqual([])

  // A name that the registrar no longer lists is removed.
  account.names.delete('unbound.com')
  await call.registrars.sync({ id: registrar.id })
  await sync()
  expect((await call.registrars.names({})).total).toBe(2)
})

test('a list that is cut off removes no names', async () => {
  const { services, sync, simulator } = await stage(Array.from({ length: 1_500 }, (_, index) => `many-${String(index)}.com`))
  const { call } = await signIn(services)
  const { registrar } = await call.registrars.create(porkbun)
  await sync()
  expect((await call.registrars.names({ limit: 1 })).total).toBe(1_500)
  simulator.faults.add({ path: '/domain/listAll', effect: { kind: 'forbidden' } })
  await call.registrars.sync({ id: registrar.id })
  await sync()
  expect((await call.registrars.names({ limit: 1 })).total).toBe(1_500)
  expect((await call.registrars.get({ id: registrar.id })).registrar).toMatchObject({ health: 'api_error', sync: { state: 'failed' } })
})

const many = Array.from({ length: 120 }, (_, index) => `many-${String(index)}.com`)
const passMinutes = (services: Stage['services'], minutes: number) =>
  services.db.sql`update disappearances set found_at = found_at - ${minutes} * interval '1 minute',
    confirmed_at = confirmed_at - ${minutes} * interval '1 minute'`

test.each([
  ['is empty', 120],
  ['lacks half', 60],
])('a registrar’s list that %s although nothing is gone removes no names, however often it is read', async (_what, unlisted) => {
  const { services, sync, account } = await stage(many)
  const { call } = await signIn(services)
  const { id } = (await call.registrars.create(porkbun)).registrar
  await sync()
  account.unlisted = unlisted
  for (const _ of [1, 2, 3]) {
    await call.registrars.sync({ id })
    await sync()
    await passMinutes(services, 60)
  }
  const { registrar } = await call.registrars.get({ id })
  expect(registrar).toMatchObject({
    namesCount: 120,
    disappearance: { missing: unlisted, known: 120, sampled: 20, stillThere: 20, keptAt: null },
  })
  expect((await call.registrars.names({ limit: 1 })).total).toBe(120)
  // The next reading is sooner than usual.
  expect(Date.parse(registrar.sync.nextAt ?? '') - Date.now()).toBeLessThan(600_000)
  account.unlisted = 0
  await call.registrars.sync({ id })
  await sync()
  expect((await call.registrars.get({ id })).registrar).toMatchObject({ namesCount: 120, disappearance: null })
})

test('a list that single lookups contradict removes no other name either', async () => {
  const { services, sync, account } = await stage(many)
  const { call } = await signIn(services)
  const { id } = (await call.registrars.create(porkbun)).registrar
  await sync()
  for (const unlisted of [60, 62]) {
    account.unlisted = unlisted
    await call.registrars.sync({ id })
    await sync()
  }
  expect((await call.registrars.get({ id })).registrar).toMatchObject({
    namesCount: 120,
    disappearance: { missing: 60, stillThere: expect.any(Number) as unknown },
  })
})

test('names missing from three lists and from single lookups are removed only by a person, who can also keep them', async () => {
  const { services, sync, account } = await stage(many)
  const { call } = await signIn(services)
  const { id } = (await call.registrars.create(porkbun)).registrar
  await sync()
  const again = async () => {
    await call.registrars.sync({ id })
    await sync()
    return (await call.registrars.get({ id })).registrar
  }
  const held = [...account.names]
  for (const [name] of held.slice(0, 60)) account.names.delete(name)
  expect(await again()).toMatchObject({ namesCount: 120, disappearance: { missing: 60, stillThere: 0 } })
  for (const confirmations of [1, 2, 2]) {
    await passMinutes(services, 10)
    expect(await again()).toMatchObject({ namesCount: 120, disappearance: { missing: 60, confirmations } })
  }
  expect(await call.registrars.decideDisappearance({ id, decision: 'gone' })).toEqual({ gone: 60 })

  for (const [name] of held.slice(60, 90)) account.names.delete(name)
  expect(await again()).toMatchObject({ namesCount: 60, disappearance: { missing: 30 } })
  expect(await call.registrars.missing({ id })).toEqual({
    names: held
      .slice(60, 90)
      .map(([name]) => name)
      .toSorted(),
    missing: 30,
  })
  await call.registrars.decideDisappearance({ id, decision: 'keep' })
  await passMinutes(services, 60)
  expect(await again()).toMatchObject({ namesCount: 60, disappearance: { keptAt: expect.any(String) as unknown } })
  expect(await call.registrars.decideDisappearance({ id, decision: 'gone' })).toEqual({ gone: 30 })
  expect((await call.registrars.get({ id })).registrar).toMatchObject({ namesCount: 30, disappearance: null })
  await expect(call.registrars.decideDisappearance({ id, decision: 'gone' })).rejects.toMatchObject({ cause: { code: 'nothing_to_do' } })
  const { activityLogs } = await call.activity.list({ entityType: 'registrar' })
  expect(activityLogs.map(({ details }) => details)).toEqual(
    expect.arrayContaining([{ missing: 60 }, { gone: 60 }, { missing: 'kept' }, { gone: 30 }]),
  )
})

test('R-REG-05 diagnostics show the provider’s error message', async () => {
  const { services, account } = await stage(['one.com'])
  const { call } = await signIn(services)
  const { registrar } = await call.registrars.create(porkbun)
  const fine = await call.registrars.examine({ id: registrar.id })
  expect(fine.registrar).toMatchObject({ health: 'working', balance: { minor: account.balanceMinor } })
  account.allowedAddresses = ['198.51.100.1']
  const refused = await call.registrars.examine({ id: registrar.id })
  expect(refused.checks).toMatchObject([{ id: 'address', state: 'failed', code: 'IP_NOT_ALLOWED' }])
  expect(refused.registrar).toMatchObject({ health: 'api_error', healthCode: 'IP_NOT_ALLOWED' })
  const manual = await call.registrars.create(byHand)
  await expect(call.registrars.examine({ id: manual.registrar.id })).rejects.toMatchObject({ cause: { code: 'registrar_manual' } })
})

test('another person’s registrar is not found; an administrator sees all', async () => {
  const { services } = await stage()
  const { call } = await signIn(services)
  const stranger = await signIn(services)
  const admin = await signIn(services, { role: 'admin' })
  const { registrar } = await call.registrars.create(byHand)
  const { id } = registrar
  expect((await stranger.call.registrars.list({})).registrars).toEqual([])
  for (const tried of [
    () => stranger.call.registrars.get({ id }),
    () => stranger.call.registrars.update({ id, name: 'Stolen' }),
    () => stranger.call.registrars.remove({ id }),
    () => stranger.call.registrars.examine({ id }),
    () => stranger.call.registrars.names({ registrarId: id }),
  ]) {
    await expect(tried()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  expect((await admin.call.registrars.list({})).registrars).toMatchObject([{ id }])
  // R-USR-01
  expect((await admin.call.users.list({})).users.reduce((sum, { registrarsCount }) => sum + registrarsCount, 0)).toBe(1)
})

test('registrar tests share the rate limit with channel and tracker tests', async () => {
  const { services } = await stage()
  const ann = await signIn(services)
  const { registrar } = await ann.call.registrars.create(porkbun)
  await ann.call.registrars.examine({ id: registrar.id })
  await services.db.sql`update attempts set resets_at = now() + interval '1 hour' where key = ${`outgoing-test:${ann.user.id}`}`
  await expect(ann.call.registrars.examine({ id: registrar.id })).rejects.toMatchObject({ cause: { code: 'too_many_attempts' } })
})
