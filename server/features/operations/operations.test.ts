import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { operationKinds, startOperations } from './index.ts'
import { listPlanZones } from './plan-reading.repo.ts'
import { keepDraft } from './preview-operation.ts'

const zones = 40
let panel: TestPanel
let ann: SignedIn
/** Zone ids in the panel and the zones at the provider, in the same order. */
let ids: string[]
let sims: SimZone[]

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones, accounts: 2, recordsPerZone: 4 } })
})
afterAll(() => panel.close())

beforeEach(async () => {
  panel.simulator.reset()
  await emptyTables(panel.services.db, 'users')
  ann = await signIn(panel.services)
  const rows: { id: string; providerZoneId: string }[] = []
  for (const index of [0, 1]) {
    const { email, globalKey, accountId, userId } = panel.credential(index)
    const { services } = panel
    const account = await insertAccount(
      services.db,
      { ownerId: ann.user.id, email, providerUserId: userId },
      { secrets: services.secrets, apiKey: globalKey },
    )
    const theirs = [...panel.simulator.state.zonesById.values()].filter((zone) => zone.account.id === accountId)
    rows.push(
      ...(await insertZones(services.db, { ownerId: ann.user.id, accountId: account.id }, theirs.length, (at) => ({
        providerZoneId: theirs[at]?.id ?? '',
        name: theirs[at]?.name ?? '',
        status: 'active',
      }))),
    )
  }
  ids = rows.map(({ id }) => id)
  sims = rows.flatMap(({ providerZoneId }) => panel.simulator.state.zonesById.get(providerZoneId) ?? [])
})

const start = async () => {
  const runner = await startOperations(panel.services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
}
const itemsOf = (id: string) => ann.call.operations.items({ id, limit: 1_000 })
const reaches = (id: string, state: string) =>
  expect.poll(async () => (await itemsOf(id)).operation.state, { timeout: 30_000, interval: 20 }).toBe(state)
const settingOf = (zone: SimZone, id: string) => panel.simulator.state.changesOf(zone).settings.get(id)?.value
const tls: OperationRequest = { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } }

/** Previews, starts, and waits for the end. */
async function run(request: OperationRequest) {
  const { operation } = await ann.call.operations.preview({ request, target: { ids } })
  await ann.call.operations.start({ id: operation.id })
  await reaches(operation.id, 'done')
  return itemsOf(operation.id)
}

describe('R-DOM-08 a change of many domains', () => {
  test('sends nothing before it is confirmed, and then exactly what the preview showed', async () => {
    await start()
    const preview = await ann.call.operations.preview({ request: tls, target: { ids } })
    expect(preview).toMatchObject({ operation: { state: 'draft', total: zones }, calls: zones, unchanged: 0 })
    expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(0)
    await ann.call.operations.start({ id: preview.operation.id })
    await reaches(preview.operation.id, 'done')
    expect((await itemsOf(preview.operation.id)).operation).toMatchObject({ done: zones, failed: 0, skipped: 0 })
    expect(sims.map((zone) => settingOf(zone, 'min_tls_version'))).toEqual(sims.map(() => '1.3'))
    expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(zones)
  })

  test('unchanged domains are excluded, and an operation without changes is refused with that reason', async () => {
    await start()
    await run(tls)
    const drafts = async () =>
      (await panel.services.db.sql`select from operations where owner_id = ${ann.user.id} and state = 'draft'`).length
    const before = await drafts()
    await expect(ann.call.operations.preview({ request: tls, target: { ids } })).rejects.toThrow('nothing_to_do')
    expect(await drafts()).toBe(before)
  })

  test('a draft is whole or not there: if its planning fails, or it is deleted meanwhile, nothing of it is left', async () => {
    await start()
    const { services } = panel
    const { id: userId, email: name, role } = ann.user
    const actor = { kind: 'user', userId, name, role, sessionId: '', verifiedAt: null } as const
    const ctx = { ...services, actor, requestId: '', address: null, userAgent: null, origin: null }
    const drafts = () => services.db.sql<{ id: string }[]>`select id from operations where owner_id = ${ann.user.id} and state = 'draft'`
    const plan = await listPlanZones(services.db, ids)
    const [first, ...others] = plan.map((zone) => ({ zone, plan: { before: null, after: null, dangers: [], calls: 1 } }))
    if (first === undefined) throw new Error('no domains')
    const keep = (between: () => Promise<unknown>) =>
      keepDraft(
        ctx,
        { kind: 'purge', input: {} },
        (async function* () {
          yield { planned: [first], unchanged: 0 }
          await expect.poll(drafts).toHaveLength(before.length + 1)
          await between()
          yield { planned: others, unchanged: 0 }
        })(),
        null,
      )
    const before = await drafts()
    await expect(keep(() => Promise.reject(new AppError('operation_too_large')))).rejects.toThrow('operation_too_large')
    expect(await drafts()).toEqual(before)
    await expect(keep(() => services.db.sql`delete from operations where owner_id = ${ann.user.id} and state = 'draft'`)).rejects.toThrow(
      'operation_moved_on',
    )
    expect(await drafts()).toEqual([])
    before.length = 0
    const { operation } = await keep(() => Promise.resolve())
    expect(operation).toMatchObject({ total: zones, state: 'draft' })
    const items = await services.db.sql<{ position: number }[]>`
      select position from operation_items where operation_id = ${operation.id} order by position`
    expect(items.map(({ position }) => position)).toEqual(ids.map((_, at) => at))
  })

  test('more previews at a time than the process has connections to the database are all answered', async () => {
    await start()
    const others = await Promise.all(Array.from({ length: 9 }, () => signIn(panel.services, { role: 'admin' })))
    const answers = await Promise.all(
      [ann, ...others].flatMap(({ call }) =>
        Array.from({ length: 4 }, () => call.operations.preview({ request: tls, target: { ids } }).then(({ calls }) => calls)),
      ),
    )
    expect(answers).toEqual(Array.from({ length: 40 }, () => zones))
  })

  test('a refusal fails only its item with the provider’s message; failed items can be retried', async () => {
    await start()
    const [odd] = sims
    const heal = panel.simulator.faults.add({
      path: `/zones/${odd?.id}/settings/min_tls_version`,
      method: 'PATCH',
      effect: { kind: 'forbidden' },
    })
    const { operation, items } = await run(tls)
    expect(operation).toMatchObject({ done: zones - 1, failed: 1 })
    expect(items.filter(({ state }) => state === 'failed')).toEqual([
      expect.objectContaining({
        domain: odd?.name,
        code: expect.stringMatching(/^provider_/) as unknown,
        message: expect.any(String) as unknown,
      }),
    ])
    heal()
    panel.simulator.journal.reset()
    await ann.call.operations.retryFailed({ id: operation.id })
    await reaches(operation.id, 'done')
    expect((await itemsOf(operation.id)).operation).toMatchObject({ done: zones, failed: 0 })
    expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(1)
  })

  test('R-DOM-08 a scheduled operation can be rescheduled or started now; one that is not scheduled or has started cannot', async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const { operation } = await ann.call.operations.preview({ request: tls, target: { ids } })
    await ann.call.operations.start({ id: operation.id, scheduledAt: inHours(1) })
    const later = inHours(2)
    const moved = await ann.call.operations.reschedule({ id: operation.id, scheduledAt: later })
    expect(moved.operation).toMatchObject({ state: 'queued', scheduledAt: later })
    for (const scheduledAt of [inHours(-1), inHours(24 * 400)])
      await expect(ann.call.operations.reschedule({ id: operation.id, scheduledAt })).rejects.toThrow('validation_failed')
    await start()
    expect((await itemsOf(operation.id)).operation).toMatchObject({ state: 'queued', done: 0 })
    await ann.call.operations.reschedule({ id: operation.id, scheduledAt: null })
    await reaches(operation.id, 'done')
    expect((await itemsOf(operation.id)).operation).toMatchObject({ done: zones, scheduledAt: null })
    await expect(ann.call.operations.reschedule({ id: operation.id, scheduledAt: null })).rejects.toThrow('operation_moved_on')
    const unscheduled = await ann.call.operations.preview({
      request: { kind: 'settings', input: { settings: { minTlsVersion: '1.1' } } },
      target: { ids },
    })
    await expect(ann.call.operations.reschedule({ id: unscheduled.operation.id, scheduledAt: null })).rejects.toThrow('operation_moved_on')
  })

  test('a revoked key stops its own account, and the others continue', async () => {
    await start()
    const { userId, email } = panel.credential(0)
    panel.simulator.faults.add({ userId, effect: { kind: 'revoked-key' } })
    const { items } = await run(tls)
    const failed = items.filter(({ state }) => state === 'failed')
    expect(new Set(failed.map(({ account }) => account))).toEqual(new Set([email]))
    expect(failed.every(({ code }) => code === 'provider_auth')).toBe(true)
    expect(items.filter(({ state }) => state === 'done')).toHaveLength(zones - failed.length)
    // Only those in progress when the first was refused.
    expect(panel.simulator.journal.count({ method: 'PATCH' })).toBeLessThan(zones)
  })

  test('a domain that changed since the preview is not changed', async () => {
    const preview = await ann.call.operations.preview({ request: tls, target: { ids } })
    const [first = ''] = ids
    await ann.call.zoneSettings.update({ id: first, minTlsVersion: '1.2' })
    await start()
    await ann.call.operations.start({ id: preview.operation.id })
    await reaches(preview.operation.id, 'done')
    const { items } = await itemsOf(preview.operation.id)
    const held = items.filter(({ state }) => state !== 'done')
    expect(held).toEqual([expect.objectContaining({ zoneId: first, state: 'skipped', code: 'changed_since' })])
    expect(settingOf(sims[0] as SimZone, 'min_tls_version')).toBe('1.2')
  })

  test('an operation can be paused, resumed and cancelled; a cancelled one keeps its completed items', async () => {
    const { operation } = await ann.call.operations.preview({ request: tls, target: { ids } })
    await ann.call.operations.start({ id: operation.id })
    await ann.call.operations.pause({ id: operation.id })
    await start()
    expect((await itemsOf(operation.id)).operation).toMatchObject({ state: 'paused', done: 0 })
    expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(0)
    await ann.call.operations.resume({ id: operation.id })
    await reaches(operation.id, 'done')

    const next = await ann.call.operations.preview({ request: { kind: 'purge', input: {} }, target: { ids } })
    await ann.call.operations.start({ id: next.operation.id, scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
    const cancelled = await ann.call.operations.cancel({ id: next.operation.id })
    expect(cancelled.operation).toMatchObject({ state: 'cancelled', cancelled: zones, done: 0 })
    await expect(ann.call.operations.resume({ id: next.operation.id })).rejects.toThrow('operation_moved_on')
  })
})

describe('an operation without items to try', () => {
  /** No records have been read, so every domain is excluded. */
  const unread: OperationRequest = { kind: 'ip', input: { ipAddress: '203.0.113.200', mode: 'replace' } }

  test('ends immediately when started, now or scheduled, and returns that state to tools', async () => {
    const { operation } = await ann.call.operations.preview({ request: unread, target: { ids } })
    const started = await ann.call.operations.start({ id: operation.id })
    expect(started.operation).toMatchObject({ state: 'done', skipped: zones, finishedAt: expect.any(String) as unknown })
    const later = await ann.call.operations.preview({ request: unread, target: { ids } })
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    expect((await ann.call.operations.start({ id: later.operation.id, scheduledAt })).operation.state).toBe('done')
    const answer = await ann.call.operations.bulkIp({ ids, ipAddress: '203.0.113.200' })
    expect(answer.operation).toMatchObject({ state: 'done', skipped: zones })
  })

  test('is ended by the next server start if an earlier process left it open', async () => {
    const { operation } = await ann.call.operations.preview({ request: unread, target: { ids } })
    await panel.services.db.sql`update operations set state = 'queued' where id = ${operation.id}`
    await start()
    await reaches(operation.id, 'done')
    expect((await itemsOf(operation.id)).operation).toMatchObject({ skipped: zones, done: 0 })
  })

  test('ends when it is resumed', async () => {
    const { operation } = await ann.call.operations.preview({ request: unread, target: { ids } })
    await panel.services.db.sql`update operations set state = 'paused' where id = ${operation.id}`
    expect((await ann.call.operations.resume({ id: operation.id })).operation.state).toBe('done')
  })
})

test('an operation reports when its first domain started, not when the progress was updated', async () => {
  await start()
  const { operation } = await run(tls)
  const [item] = await panel.services.db.sql<{ began: string; ended: string }[]>`
    select min(started_at) as began, max(finished_at) as ended from operation_items where operation_id = ${operation.id}`
  expect([operation.startedAt, operation.finishedAt]).toEqual([item?.began, item?.ended].map((at) => new Date(at ?? 0).toISOString()))
})

test.each(['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])('an operation cannot be scheduled for %s', async (scheduledAt) => {
  const { operation } = await ann.call.operations.preview({ request: tls, target: { ids } })
  await expect(ann.call.operations.start({ id: operation.id, scheduledAt })).rejects.toMatchObject({
    cause: { code: 'validation_failed', issues: [{ path: 'scheduledAt' }] },
  })
  expect((await itemsOf(operation.id)).operation.state).toBe('draft')
})

test('retrying without failed items and undoing without changes are refused with separate messages', async () => {
  await start()
  const { operation } = await run(tls)
  await expect(ann.call.operations.retryFailed({ id: operation.id })).rejects.toThrow('nothing_to_retry')
  await expect(ann.call.operations.previewUndo({ id: operation.id, positions: [zones + 5] })).rejects.toThrow('nothing_to_undo')
  const bob = await signIn(panel.services)
  await expect(bob.call.operations.refreshAll({})).rejects.toThrow('no_domains')
})

test('R-DOM-08 after its canary items an operation pauses automatically; resumed, it runs the rest', async () => {
  await start()
  const { operation } = await ann.call.operations.preview({ request: tls, target: { ids } })
  await ann.call.operations.start({ id: operation.id, canary: 5 })
  await reaches(operation.id, 'paused')
  expect((await itemsOf(operation.id)).operation).toMatchObject({ done: 5, canary: 5, failed: 0 })
  expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(5)
  await panel.services.db.sql`update operation_items set finished_at = finished_at - interval '1 hour' where operation_id = ${operation.id}`
  const resumed = await ann.call.operations.resume({ id: operation.id })
  expect(resumed.operation.canary).toBeNull()
  // The wait for the user's decision does not count as duration.
  expect(resumed.operation.restedSeconds).toBeGreaterThanOrEqual(3_600)
  expect(resumed.operation.restedSeconds).toBeLessThan(3_700)
  await reaches(operation.id, 'done')
  expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(zones)
})

describe('R-DOM-08 a canary run', () => {
  async function tried() {
    await start()
    const { operation } = await ann.call.operations.preview({ request: tls, target: { ids } })
    const started = await ann.call.operations.start({ id: operation.id, canary: 5 })
    expect(started.operation.trialOver).toBe(false)
    await reaches(operation.id, 'paused')
    expect((await itemsOf(operation.id)).operation).toMatchObject({ trialOver: true, done: 5 })
    expect((await ann.call.operations.list({})).operations).toEqual([expect.objectContaining({ id: operation.id, trialOver: true })])
    return operation.id
  }

  test('can end there: the rest is cancelled and never sent', async () => {
    const id = await tried()
    const { operation } = await ann.call.operations.cancel({ id })
    expect(operation).toMatchObject({ state: 'cancelled', done: 5, cancelled: zones - 5, trialOver: false })
    expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(5)
  })

  test('can be undone while the rest waits', async () => {
    const id = await tried()
    const preview = await ann.call.operations.previewUndo({ id })
    expect(preview.operation.total).toBe(5)
    await ann.call.operations.start({ id: preview.operation.id })
    await reaches(preview.operation.id, 'done')
    expect((await itemsOf(id)).operation).toMatchObject({ state: 'paused', undone: 5, trialOver: true })
    expect(sims.filter((zone) => settingOf(zone, 'min_tls_version') === '1.3')).toEqual([])
  })

  test('is not over when it was paused manually before its items ended', async () => {
    const { operation } = await ann.call.operations.preview({ request: tls, target: { ids } })
    await ann.call.operations.start({ id: operation.id, canary: 5 })
    const paused = await ann.call.operations.pause({ id: operation.id })
    expect(paused.operation).toMatchObject({ state: 'paused', trialOver: false })
    await start()
    await ann.call.operations.resume({ id: operation.id })
    await reaches(operation.id, 'paused')
    expect((await itemsOf(operation.id)).operation).toMatchObject({ trialOver: true, done: 5 })
  })
})

test('of two operations in one account the urgent one goes first', async () => {
  const first = await ann.call.operations.preview({ request: tls, target: { ids } })
  const urgent = await ann.call.operations.preview({
    request: { kind: 'settings', input: { settings: { alwaysUseHttps: true } } },
    target: { ids },
  })
  await ann.call.operations.start({ id: first.operation.id, priority: 'low' })
  const { operation } = await ann.call.operations.start({ id: urgent.operation.id, priority: 'high' })
  expect(operation.priority).toBe('high')
  await start()
  await reaches(first.operation.id, 'done')
  await reaches(urgent.operation.id, 'done')
  const began = await panel.services.db.sql<{ early: number }[]>`
    select count(*)::int as early from operation_items low join operation_items high on high.lane = low.lane
    where low.operation_id = ${first.operation.id} and high.operation_id = ${urgent.operation.id} and low.started_at < high.started_at`
  expect(began[0]?.early).toBe(0)
})

test('R-DOM-14 changing the address of many domains takes two calls each: one checks that the records match the preview', async () => {
  await start()
  for (const id of ids) await ann.call.records.refresh({ id })
  panel.simulator.journal.reset()
  const { operation } = await run({ kind: 'ip', input: { ipAddress: '203.0.113.200', mode: 'replace' } })
  expect(operation).toMatchObject({ done: zones, failed: 0 })
  expect(panel.simulator.journal.count({ method: 'GET' })).toBe(zones)
  expect(panel.simulator.journal.count()).toBe(2 * zones)
  const addresses = sims.flatMap((zone) =>
    [...(panel.simulator.state.changesOf(zone).records?.values() ?? [])].filter(({ type }) => type === 'A'),
  )
  expect(new Set(addresses.map(({ content }) => content))).toEqual(new Set(['203.0.113.200']))
})

test('a domain is found and shown in its Unicode form; all matching ones are returned in one call', async () => {
  const [first = '', second = ''] = ids
  const name = (id: string, to: string) => panel.services.db.sql`update zones set name = ${to} where id = ${id}`
  await Promise.all([name(first, 'xn--80ak6aa92e.com'), name(second, 'shop.xn--p1ai')])
  const { operation } = await ann.call.operations.preview({ request: tls, target: { ids } })
  const found = await ann.call.operations.items({ id: operation.id, search: 'аррӏе.com' })
  expect(found.items.map(({ domain, displayName }) => [domain, displayName])).toEqual([['xn--80ak6aa92e.com', 'аррӏе.com']])
  const all = await ann.call.operations.itemNames({ id: operation.id, state: 'pending' })
  expect(all.positions).toEqual(ids.map((_id, position) => position))
  expect(all.names).toContain('shop.рф')
  const [one] = found.items
  expect(await ann.call.operations.itemNames({ id: operation.id, search: 'xn--80ak6aa92e' })).toEqual({
    positions: [one?.position],
    names: ['аррӏе.com'],
  })
})

test('an undo restores the stored state except for values changed since', async () => {
  await start()
  const before = sims.map((zone) => settingOf(zone, 'min_tls_version') ?? null)
  for (const id of ids) await ann.call.zoneSettings.refresh({ id })
  const { operation } = await run(tls)
  const [first = ''] = ids
  await ann.call.zoneSettings.update({ id: first, minTlsVersion: '1.1' })
  const preview = await ann.call.operations.previewUndo({ id: operation.id })
  expect(preview.operation).toMatchObject({ kind: 'undo', undoOf: operation.id, total: operation.total })
  await ann.call.operations.start({ id: preview.operation.id })
  await reaches(preview.operation.id, 'done')
  const { items } = await itemsOf(preview.operation.id)
  expect(items.filter(({ state }) => state !== 'done')).toEqual([
    expect.objectContaining({ zoneId: first, state: 'skipped', code: 'changed_since' }),
  ])
  const now = sims.map((zone) => settingOf(zone, 'min_tls_version') ?? null)
  expect(now[0]).toBe('1.1')
  expect(now.slice(1).filter((value, index) => before[index + 1] !== null && value !== before[index + 1])).toEqual([])
  expect(now.slice(1)).not.toContain('1.3')
  const undone = (await itemsOf(operation.id)).items.filter(({ state }) => state === 'undone')
  expect(undone).toHaveLength(operation.total - 1)
  expect((await itemsOf(operation.id)).operation).toMatchObject({ state: 'done', done: operation.total, undone: operation.total - 1 })
})

test('with a fifth of all calls failing, every item ends and the provider matches the items', async () => {
  await start()
  const probability = 0.05
  for (const effect of [
    { kind: 'rate-limited', retryAfterSeconds: 1 },
    { kind: 'server-error', status: 502, body: 'html' },
    { kind: 'cut-body' },
    { kind: 'reset' },
  ] as const) {
    panel.simulator.faults.add({ probability, effect })
  }
  const { operation, items } = await run(tls)
  expect(operation.done + operation.failed).toBe(zones)
  const byId = new Map(items.map((item) => [item.zoneId, item]))
  for (const [index, zone] of sims.entries()) {
    const item = byId.get(ids[index] ?? '')
    if (item?.state === 'done') expect(settingOf(zone, 'min_tls_version')).toBe('1.3')
    else expect(item).toMatchObject({ state: 'failed', code: expect.any(String) as unknown })
  }
}, 60_000)

test('R-PRM-02 another user can neither see nor control an operation, nor change domains of others', async () => {
  const bob = await signIn(panel.services)
  const { operation } = await ann.call.operations.preview({ request: tls, target: { ids } })
  await ann.call.operations.start({ id: operation.id })
  await expect(bob.call.operations.preview({ request: tls, target: { ids } })).rejects.toThrow('not_found')
  for (const call of ['pause', 'resume', 'cancel', 'retryFailed', 'discard'] as const) {
    await expect(bob.call.operations[call]({ id: operation.id })).rejects.toThrow('not_found')
  }
  await expect(bob.call.operations.items({ id: operation.id })).rejects.toThrow('not_found')
  expect((await bob.call.operations.list({})).operations).toEqual([])
  expect((await ann.call.operations.list({})).operations).toHaveLength(1)
})
