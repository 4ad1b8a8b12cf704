import { afterEach, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { signIn } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createTestServices } from '#server/testing/services.ts'
import { startTestTrackers } from '#server/testing/test-trackers.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function stage() {
  const database = await createTestDatabase()
  const logged: string[] = []
  const log = createLog('trace', { write: (line) => void logged.push(line) })
  const world = await startTestTrackers(database, log)
  const clock = createFakeClock()
  const { services, close } = await createTestServices({ database, trackers: world.trackers, clock, log })
  closers.push(close)
  const { call } = await signIn(services)
  const keitaro = { kind: 'KEITARO', url: world.keitaro.url, apiKey: world.keitaro.apiKey } as const
  const binom = { kind: 'BINOM', url: world.binom.url, apiKey: world.binom.apiKey } as const
  return { ...world, services, clock, call, logged, access: { keitaro, binom } }
}

test('R-TRK-02 a test reports the tracker’s contents, before and after it is saved, and stores nothing', async () => {
  const s = await stage()
  s.keitaro.state.add({ name: 'one.com' })
  s.keitaro.state.add({ name: 'kept.com', archived: true })
  s.keitaro.state.addCampaign('Shoes')
  s.binom.state.add({ name: 'two.com' })
  const fine = { ok: true, code: null, message: null, domains: 1, campaigns: 1, addresses: ['127.0.0.1'] }
  expect(await s.call.trackers.test(s.access.keitaro)).toEqual({ test: fine })
  expect((await s.call.trackers.test(s.access.binom)).test).toMatchObject({ ok: true, domains: 1 })

  const { tracker } = await s.call.trackers.create({ ...s.access.keitaro, name: 'Main' })
  const { id } = tracker
  expect(await s.call.trackers.test({ id, kind: 'KEITARO' })).toEqual({ test: fine })
  // Submitted values take precedence over stored ones.
  const wrong = await s.call.trackers.test({ id, kind: 'KEITARO', apiKey: 'wrong' })
  expect(wrong.test).toMatchObject({ ok: false, code: 'tracker_auth', message: 'HTTP 401', domains: null })
  expect((await s.call.trackers.get({ id })).tracker).toEqual(tracker)
  expect(JSON.stringify(s.logged)).not.toContain(s.keitaro.apiKey)
})

test('R-TRK-02 a failed test has a code: unsupported edition, refused key, not a tracker, unreachable', async () => {
  const s = await stage()
  const codeOf = async (given: object) => (await s.call.trackers.test({ ...s.access.keitaro, ...given })).test.code
  expect(await codeOf({ apiKey: 'wrong' })).toBe('tracker_auth')
  s.keitaro.ways.adminApi = false
  expect(await codeOf({})).toBe('tracker_edition')
  s.keitaro.ways.adminApi = true
  s.keitaro.faults.add({ path: '/domains', times: 1, effect: { kind: 'page', status: 200 } })
  expect(await codeOf({})).toBe('tracker_not_one')
  expect(await codeOf({ url: 'http://10.0.0.1' })).toBe('tracker_private')
  expect(await codeOf({ url: 'http://127.0.0.1:9' })).toBe('tracker_unavailable')
  await expect(s.call.trackers.test({ kind: 'KEITARO' })).rejects.toMatchObject({
    cause: {
      code: 'validation_failed',
      issues: [
        { path: 'url', message: 'required' },
        { path: 'apiKey', message: 'required' },
      ],
    },
  })
})

test('an address of a metadata service is rejected by every way to enter it, with its field', async () => {
  const { call, access } = await stage()
  const { tracker } = await call.trackers.create({ ...access.keitaro, name: 'Main' })
  const refused = (path: string) => ({ cause: { code: 'validation_failed', issues: [{ path, message: 'metadata_address' }] } })
  for (const url of ['http://169.254.169.254/', 'http://2852039166', 'https://[::ffff:a83f:8110]:8443/']) {
    await expect(call.trackers.create({ ...access.binom, url, name: 'Other' })).rejects.toMatchObject(refused('url'))
    await expect(call.trackers.update({ id: tracker.id, url, apiKey: 'key' })).rejects.toMatchObject(refused('url'))
    await expect(call.trackers.test({ ...access.keitaro, url })).rejects.toMatchObject(refused('url'))
    for (const field of ['keitaro', 'binom'] as const) {
      const update = call.trackers.updateSettings({ [`${field}Url`]: url, [`${field}ApiKey`]: 'key' })
      await expect(update).rejects.toMatchObject(refused(`${field}Url`))
    }
  }
  expect((await call.trackers.list({})).trackers).toMatchObject([{ url: access.keitaro.url }])
})

test('R-TRK-02 R-MON-02 a person can send twenty tests in a row, then one every three seconds, across trackers and channels', async () => {
  const s = await stage()
  const { channel } = await s.call.alerts.createChannel({ kind: 'webhook', name: 'hook', url: 'https://hook.example/' })
  for (let index = 0; index < 20; index += 1) await s.call.trackers.test({ ...s.access.keitaro, apiKey: 'wrong' })
  const asked = s.keitaro.journal.count()
  const refused = { cause: { code: 'too_many_attempts', params: { retryAfterSeconds: 3 } } }
  await expect(s.call.trackers.test(s.access.keitaro)).rejects.toMatchObject(refused)
  await expect(s.call.alerts.testChannel({ id: channel.id })).rejects.toMatchObject(refused)
  expect(s.keitaro.journal.count()).toBe(asked)
  const other = await signIn(s.services)
  await expect(other.call.trackers.test(s.access.keitaro)).resolves.toMatchObject({ test: { ok: true } })
})

test('R-TRK-03 binding options are requested once a minute for all users, and immediately on refresh', async () => {
  const s = await stage()
  s.keitaro.state.addCampaign('Shoes')
  s.keitaro.state.addGroup('Spring')
  const { id } = (await s.call.trackers.create({ ...s.access.keitaro, name: 'Main' })).tracker
  const choices = (fresh?: boolean) => s.call.trackers.choices({ id, ...(fresh === undefined ? {} : { fresh }) })
  const [one, other] = await Promise.all([choices(), choices()])
  expect(one).toEqual({
    campaigns: [{ id: '1', name: 'Shoes', state: 'active' }],
    groups: [{ id: '1', name: 'Spring' }],
    able: { campaign: true, group: true, sslRedirect: true, restore: true, check: true },
  })
  expect(other).toEqual(one)
  expect(s.keitaro.journal.count({ path: '/campaigns' })).toBe(1)
  s.keitaro.state.addCampaign('Hats')
  expect((await choices()).campaigns).toHaveLength(1)
  expect((await choices(true)).campaigns).toHaveLength(2)
  s.keitaro.state.addCampaign('Coats')
  await s.clock.advance(60_000)
  expect((await choices()).campaigns).toHaveLength(3)
  expect(s.keitaro.journal.count({ path: '/campaigns' })).toBe(3)

  // A failure is not cached, and another key means another tracker.
  await s.clock.advance(60_000)
  s.keitaro.faults.add({ path: '/campaigns', times: 1, effect: { kind: 'revoked-key' } })
  await expect(choices()).rejects.toMatchObject({ cause: { code: 'tracker_auth' } })
  await expect(choices()).resolves.toBeDefined()
  await s.call.trackers.update({ id, apiKey: 'wrong' })
  await expect(choices()).rejects.toMatchObject({ cause: { code: 'tracker_auth' } })
  await s.call.trackers.update({ id, enabled: false })
  await expect(choices()).rejects.toMatchObject({ cause: { code: 'tracker_disabled' } })
})
