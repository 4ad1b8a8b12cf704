import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operationKinds } from '#server/features/operations/index.ts'
import type { RunItem } from '#server/features/operations/operation-kind.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { TestTrackers } from '#server/testing/test-trackers.ts'
import { isAtLeast, shareLevels } from '#shared/features/sharing/rules.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'
import { syncDueTrackers } from './index.ts'

let panel: TestPanel
let sims: TestTrackers
let owner: SignedIn
let guest: SignedIn
let id: string
let accountId: string
let domainId: string

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 1, accounts: 1, recordsPerZone: 1 }, trackers: true })
  if (panel.trackers === null) throw new Error('no trackers')
  sims = panel.trackers
})
afterAll(() => panel.close())

const refusal = (code: string) => ({ cause: { code } })
const keitaro = () => ({ kind: 'KEITARO', name: 'Main', url: sims.keitaro.url, apiKey: sims.keitaro.apiKey }) as const
const read = () => syncDueTrackers(panel.services, new AbortController().signal)
const nameOfZone = 'shop.com'
const there = () => [...sims.keitaro.state.domains.values()].filter(({ name, archived }) => name === nameOfZone && !archived)

/** An owner with a domain, and a tracker that has another one. */
beforeEach(async () => {
  const { services } = panel
  await emptyTables(services.db, 'users')
  sims.keitaro.state.clear()
  owner = await signIn(services, { name: 'Olga' })
  guest = await signIn(services, { name: 'Gleb' })
  const account = await insertAccount(services.db, { ownerId: owner.user.id }, { secrets: services.secrets, apiKey: 'f'.repeat(37) })
  accountId = account.id
  domainId = (await insertZone(services.db, { ownerId: owner.user.id, accountId, name: nameOfZone })).id
  id = (await owner.call.trackers.create(keitaro())).tracker.id
})

const share = (level: ShareLevel, accessTarget: { readonly accountId: string } | { readonly trackerId: string } = { trackerId: id }) =>
  owner.call.sharing.create({ ...accessTarget, user: guest.user.username, level })
const bind = (who = guest) => who.call.trackers.bind({ id: domainId, trackerId: id })
const unbind = (who = guest) => who.call.trackers.unbind({ id: domainId, archive: true })

describe('R-PRM-02 a shared tracker is visible with its domains and without its key', () => {
  test('R-PRM-02 lists show who shared it and at which level, only while it is shared', async () => {
    expect((await guest.call.trackers.list({})).trackers).toEqual([])
    const { share: given } = await share('view')
    expect((await guest.call.trackers.list({})).trackers).toMatchObject([
      { id, name: 'Main', shared: { by: `Olga · ${owner.user.username}`, level: 'view' }, sharedWith: 0 },
    ])
    expect((await owner.call.trackers.list({})).trackers).toMatchObject([{ shared: null, sharedWith: 1 }])
    await owner.call.sharing.remove({ id: given.id })
    expect((await guest.call.trackers.list({})).trackers).toEqual([])
    await expect(guest.call.trackers.get({ id })).rejects.toMatchObject(refusal('not_found'))
  })

  test('R-PRM-02 its domains are compared, and those of the owner’s accounts are named only if shared too', async () => {
    await bind(owner)
    await read()
    const rows = async () =>
      (await guest.call.trackers.reconcile({})).rows.map(({ name, zone, tracker }) => [name, zone?.name ?? null, tracker?.id])
    expect(await rows()).toEqual([])
    await share('view')
    expect(await rows()).toEqual([[nameOfZone, null, id]])
    expect(await guest.call.trackers.reconcileIds({})).toMatchObject({ zoneIds: [], names: [nameOfZone] })
    expect((await guest.call.trackers.reconcile({ state: 'not_bound' })).rows).toEqual([])
    await share('view', { accountId })
    expect(await rows()).toEqual([[nameOfZone, nameOfZone, id]])
    expect(await guest.call.trackers.reconcileIds({})).toMatchObject({ zoneIds: [domainId] })
  })

  test('R-PRM-04 no response contains its key, at any level', async () => {
    for (const level of shareLevels) {
      await share(level)
      const answers = [
        await guest.call.trackers.list({}),
        await guest.call.trackers.get({ id }),
        ...(level === 'view' ? [] : [await guest.call.trackers.choices({ id }), await guest.call.trackers.sync({ id })]),
        ...(level === 'manage' ? [await guest.call.trackers.update({ id, name: 'Main' })] : []),
      ]
      expect(JSON.stringify(answers)).not.toContain(sims.keitaro.apiKey)
      await expect(guest.call.trackers.reveal({ id })).rejects.toMatchObject(refusal('level_too_low'))
    }
  })
})

interface Act {
  readonly what: string
  readonly needed: Level
  readonly act: (who: SignedIn) => Promise<unknown>
}
const acts: readonly Act[] = [
  { what: 'reading it', needed: 'view', act: ({ call }) => call.trackers.get({ id }) },
  { what: 'a sync', needed: 'operate', act: ({ call }) => call.trackers.sync({ id }) },
  { what: 'what a domain can be given', needed: 'operate', act: ({ call }) => call.trackers.choices({ id }) },
  { what: 'another name', needed: 'manage', act: ({ call }) => call.trackers.update({ id, name: 'Another' }) },
  { what: 'another key', needed: 'own', act: ({ call }) => call.trackers.update({ id, apiKey: 'taken' }) },
  { what: 'switching it off', needed: 'own', act: ({ call }) => call.trackers.update({ id, enabled: false }) },
  { what: 'a test with its key', needed: 'own', act: ({ call }) => call.trackers.test({ id, kind: 'KEITARO' }) },
  { what: 'deletion', needed: 'own', act: ({ call }) => call.trackers.remove({ id }) },
  { what: 'access of others', needed: 'own', act: ({ call }) => call.sharing.create({ trackerId: id, user: 'nobody', level: 'view' }) },
]

describe('R-PRM-02 each access level of a tracker allows exactly its actions', () => {
  test.each(acts)('R-PRM-02 $what requires $needed', async ({ needed, act }) => {
    await expect(act(guest)).rejects.toMatchObject(refusal('not_found'))
    for (const level of shareLevels) {
      await share(level)
      if (isAtLeast(level, needed)) await expect(act(guest)).resolves.toBeDefined()
      else await expect(act(guest)).rejects.toMatchObject(refusal('level_too_low'))
    }
  })

  test('R-PRM-02 archiving one of its domains requires manage', async () => {
    sims.keitaro.state.add({ name: 'left.com' })
    await read()
    const [row] = await panel.services.db.sql<{ id: string }[]>`select id from tracker_domains where name = 'left.com'`
    const archive = () => guest.call.operations.previewTrackerArchive({ trackerDomainIds: [row?.id ?? ''] })
    await expect(archive()).rejects.toMatchObject(refusal('not_found'))
    await share('operate')
    await expect(archive()).rejects.toMatchObject(refusal('level_too_low'))
    await share('manage')
    expect((await archive()).operation).toMatchObject({ total: 1 })
  })

  test('R-PRM-02 actions of others on it are in its owner’s activity log with its name', async () => {
    await share('manage')
    await guest.call.trackers.update({ id, name: 'Renamed' })
    const { activityLogs } = await owner.call.activity.list({ entityType: 'tracker' })
    expect(activityLogs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ entityName: 'Main', details: { access: { user: guest.user.username, from: null, to: 'manage' } } }),
        expect.objectContaining({ entityName: 'Main', details: { name: { from: 'Main', to: 'Renamed' } } }),
      ]),
    )
    expect((await owner.call.trackers.get({ id })).tracker).toMatchObject({ name: 'Renamed', hasKey: true, url: sims.keitaro.url })
  })
})

describe('R-PRM-02 binding requires operate on both the domain and the tracker', () => {
  const plan = async () => {
    const request = { kind: 'tracker_bind', input: { trackerId: id } } as const
    const { operation } = await guest.call.operations.preview({ request, target: { ids: [domainId] } })
    return (await guest.call.operations.items({ id: operation.id })).items.map(({ code }) => code)
  }
  const run = () => {
    const { services } = panel
    const ctx = { ...services, actor: guest.actor, requestId: 'test', address: null, userAgent: null, origin: null }
    const item = { operationId: crypto.randomUUID(), position: 0, domainId, accountId: id, name: nameOfZone, attempt: 1, worker: 1 }
    return operationKinds['tracker_bind']?.run(ctx, item as unknown as RunItem, { trackerId: id }, new AbortController().signal)
  }

  test('R-PRM-02 nothing is bound without the tracker or with a lower level on it', async () => {
    await share('manage', { accountId })
    await expect(bind()).rejects.toMatchObject(refusal('not_found'))
    await expect(guest.call.trackers.ofDomain({ id: domainId })).rejects.toMatchObject(refusal('level_too_low'))
    expect(await plan()).toEqual(['not_found'])
    await share('view')
    await expect(bind()).rejects.toMatchObject(refusal('level_too_low'))
    await expect(run()).rejects.toMatchObject({ code: 'level_too_low' })
    expect(await plan()).toEqual(['level_too_low'])
    expect(there()).toEqual([])
  })

  test('R-PRM-02 nothing is bound without the domain or with a lower level on it', async () => {
    await share('manage')
    await expect(bind()).rejects.toMatchObject(refusal('not_found'))
    await share('view', { accountId })
    await expect(bind()).rejects.toMatchObject(refusal('level_too_low'))
    await expect(plan()).rejects.toMatchObject(refusal('level_too_low'))
    expect(there()).toEqual([])
  })

  test('R-PRM-02 with both, the domain is bound, checked and unbound, and the owner’s log records it', async () => {
    await share('operate', { accountId })
    await share('operate')
    expect(await guest.call.trackers.ofDomain({ id: domainId })).toEqual({ binding: null })
    expect(await plan()).toEqual([null])
    await run()
    expect(there()).toHaveLength(1)
    expect(await guest.call.trackers.ofDomain({ id: domainId })).toMatchObject({ binding: { tracker: { id } } })
    await guest.call.trackers.check({ id: domainId })
    await unbind()
    expect(there()).toEqual([])
    const { activityLogs } = await owner.call.activity.list({ entityType: 'zone' })
    expect(activityLogs.map(({ details }) => details)).toMatchObject([{ tracker: { to: null } }, { tracker: { from: null } }])
  })

  test('R-PRM-02 a domain bound in a tracker that is not shared, or at a lower level, cannot be unbound, even in the panel only', async () => {
    await bind(owner)
    await share('manage', { accountId })
    const without = (archive: boolean) => guest.call.trackers.unbind({ id: domainId, archive })
    for (const archive of [true, false]) await expect(without(archive)).rejects.toMatchObject(refusal('level_too_low'))
    await expect(guest.call.trackers.check({ id: domainId })).rejects.toMatchObject(refusal('not_found'))
    await share('view')
    for (const archive of [true, false]) await expect(without(archive)).rejects.toMatchObject(refusal('level_too_low'))
    await expect(guest.call.trackers.check({ id: domainId })).rejects.toMatchObject(refusal('level_too_low'))
    expect(there()).toHaveLength(1)
  })

  test('R-TRK-03 a user’s own domain cannot be bound in another person’s tracker', async () => {
    const { services } = panel
    const account = await insertAccount(services.db, { ownerId: guest.user.id }, { secrets: services.secrets, apiKey: 'e'.repeat(37) })
    const own = await insertZone(services.db, { ownerId: guest.user.id, accountId: account.id, name: 'own.com' })
    await share('manage')
    await expect(guest.call.trackers.bind({ id: own.id, trackerId: id })).rejects.toMatchObject(refusal('tracker_other_owner'))
  })
})
