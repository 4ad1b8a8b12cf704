import { afterEach, expect, test } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import { syncDueTrackers } from './index.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** Two domains of a tracker, bound in it. */
async function stage() {
  const panel = await createTestPanel({ world: { zones: 1, accounts: 1, recordsPerZone: 1 }, trackers: true })
  closers.push(() => panel.close())
  const { services, trackers } = panel
  if (trackers === null) throw new Error('no trackers')
  const { keitaro } = trackers
  const { call, user } = await signIn(services)
  const account = await insertAccount(services.db, { ownerId: user.id }, { secrets: services.secrets, apiKey: 'f'.repeat(37) })
  const [first, second] = await insertZones(services.db, { ownerId: user.id, accountId: account.id }, 2)
  if (first === undefined || second === undefined) throw new Error('no zones')
  const [one, two] = [keitaro.state.add({ name: first.name }), keitaro.state.add({ name: second.name })]
  const { tracker } = await call.trackers.create({ kind: 'KEITARO', name: 'Main', url: keitaro.url, apiKey: keitaro.apiKey })
  const sync = () => syncDueTrackers(services, new AbortController().signal)
  await sync()
  for (const { id } of [first, second]) await call.trackers.bind({ id, trackerId: tracker.id })
  return {
    call,
    id: tracker.id,
    keitaro,
    first: { ...first, there: one },
    second: { ...second, there: two },
    readAgain: async () => {
      await call.trackers.sync({ id: tracker.id })
      await sync()
    },
    mirror: async () =>
      (await services.db.sql<{ name: string }[]>`select name from tracker_domains where gone_at is null`).map(({ name }) => name),
    there: () => [...keitaro.state.domains.values()].map(({ name, archived }) => [name, archived]),
  }
}

test('R-TRK-03 after a tracker is reinstalled with reused ids, each binding follows its name and no other domain is changed', async () => {
  const { call, id, keitaro, first, second, ...s } = await stage()
  keitaro.state.domains.set(first.there.id, { ...first.there, name: 'else.com' })
  keitaro.state.domains.set(second.there.id, { ...second.there, name: first.name })
  await s.readAgain()
  expect(await call.trackers.ofDomain({ id: first.id })).toMatchObject({
    binding: { domain: { remoteId: second.there.id, name: first.name }, pending: false },
  })
  expect(await call.trackers.ofDomain({ id: second.id })).toMatchObject({ binding: { tracker: { id }, domain: null } })
  await call.trackers.unbind({ id: second.id })
  await call.trackers.unbind({ id: first.id })
  expect(s.there()).toEqual([
    ['else.com', false],
    [first.name, true],
  ])
})

test('R-TRK-03 changing the address discards ids and all data read, and a domain is then unbound by name', async () => {
  const { call, id, keitaro, first, second, ...s } = await stage()
  await call.trackers.update({ id, url: `${keitaro.url}/admin` })
  expect(await s.mirror()).toHaveLength(2)
  await call.trackers.update({ id, enabled: false })
  keitaro.state.domains.set(first.there.id, { ...first.there, name: 'else.com' })
  const { tracker } = await call.trackers.update({ id, url: keitaro.url, apiKey: keitaro.apiKey })
  expect(tracker).toMatchObject({ domainsCount: 0, sync: { state: 'queued', syncedAt: null } })
  expect(await s.mirror()).toEqual([])
  for (const each of [first, second]) await call.trackers.unbind({ id: each.id })
  expect(s.there()).toEqual([
    ['else.com', false],
    [second.name, true],
  ])
  expect(await call.trackers.ofDomain({ id: first.id })).toEqual({ binding: null })
})
