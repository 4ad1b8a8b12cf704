import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { callAs, signIn } from '#server/testing/app.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanelOptions } from '#server/testing/panel.ts'
import { stageSync } from '#server/testing/sync-stage.ts'
import { wakeSync } from './sync.repo.ts'

const minute = 60_000
const path = '/accounts/{account}/logs/audit'
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 20 })

interface FeedRow {
  readonly state: string
  readonly errorMessage: string | null
  readonly dueInSeconds: number
  readonly cursor: string | null
  readonly delaySeconds: number | null
  readonly longestDelaySeconds: number | null
}

/** An account whose zones have been read. Its log is read when `read` is called. */
async function stage(options: Partial<TestPanelOptions> = {}) {
  const s = await stageSync({
    world: { zones: 3, recordsPerZone: 1 },
    sync: { intervalSeconds: { least: 3_600, most: 3_600 } },
    ...options,
  })
  const { sql } = s.services.db
  const scheduler = await s.startSync()
  const accountId = await s.add(0)
  await s.settled(accountId)
  const account = { id: s.credential(0).accountId }
  const log = () => s.simulator.state.auditLog
  const row = async () => {
    const [found] = await sql<FeedRow[]>`
      select state, error_message, extract(epoch from due_at - now())::float8 as due_in_seconds, cursor, delay_seconds, longest_delay_seconds
      from change_feeds where account_id = ${accountId}`
    return found
  }
  return {
    ...s,
    sql,
    scheduler,
    accountId,
    log,
    row,
    add: (changes: number, fromMs = Date.now() - 10 * minute) =>
      Array.from({ length: changes }, (_, n) => log().add(account, { actor: { email: 'colleague@example.com' } }, { timeMs: fromMs + n })),
    zone: () => {
      const [zone] = [...s.simulator.state.zonesById.values()]
      if (zone === undefined) throw new Error('no zone')
      return zone
    },
    /** Reads the log to its end, or until it is refused. */
    async read() {
      await sql`update change_feeds set due_at = now() where account_id = ${accountId}`
      await wakeSync(s.services.db.orm)
      await eventually(async () => expect((await row())?.dueInSeconds).toBeGreaterThan(1))
    },
    stored: async () =>
      (await sql<{ changeId: string }[]>`select change_id from provider_changes order by changed_at, change_id`).map(
        (each) => each.changeId,
      ),
    calls: (match: { readonly path: string }) => s.simulator.journal.count({ method: 'GET', ...match }),
  }
}

test('what others change in a domain is read after one run, and only that part of that domain', async () => {
  const s = await stage()
  await s.read()
  const zone = s.zone()
  s.simulator.journal.reset()
  applyEdit(s.simulator.state, { kind: 'create-record', zone: zone.id, record: { type: 'A', name: 'fresh', content: '192.0.2.77' } })
  await s.read()
  await eventually(async () => {
    const rows = await s.sql`select 1 from dns_records where content = '192.0.2.77'`
    expect(rows).toHaveLength(1)
  })
  await s.settled(s.accountId)
  expect(s.calls({ path: '/zones/{zone}/dns_records' })).toBe(1)
  expect(s.simulator.journal.count()).toBe(2)

  applyEdit(s.simulator.state, { kind: 'setting', zone: zone.id, setting: 'ssl', value: 'off' })
  await s.read()
  await eventually(async () => {
    const rows = await s.sql`select 1 from zones where ssl_mode = 'off' and zone_id = ${zone.id}`
    expect(rows).toHaveLength(1)
  })
  expect(s.calls({ path: '/zones/{zone}/dns_records' })).toBe(1)
})

test('a record that others no longer proxy and a removed domain are critical, also if the panel has read them already', async () => {
  const s = await stage()
  await s.read()
  const zone = s.zone()
  const [domain] = await s.sql<{ id: string }[]>`select id from zones where zone_id = ${zone.id}`
  const id = domain?.id ?? ''
  const { record } = await s.person.call.records.create({ id, type: 'A', name: 'shop', content: '192.0.2.9', proxied: true })
  const edit = (proxied: boolean) =>
    applyEdit(s.simulator.state, { kind: 'edit-record', zone: zone.id, recordId: record.id, set: { proxied } })
  edit(false)
  await s.person.call.records.refresh({ id })
  await s.read()
  edit(false)
  await s.read()
  applyEdit(s.simulator.state, { kind: 'delete-zone', zone: zone.id })
  await s.read()
  const found = await s.sql`select critical from provider_changes where not is_own order by changed_at, critical`
  expect(found.map(({ critical }) => critical as unknown)).toEqual(['proxied_off', null, 'zone_removed'])
})

test('what others changed is shown with its former value and reverted from there', async () => {
  const s = await stage()
  await s.read()
  const zone = s.zone()
  const call = s.person.call
  const record = async () => {
    const [found] = await s.sql<{ recordId: string; content: string }[]>`
      select r.record_id, r.content from dns_records r join zones z on z.id = r.zone_id where z.zone_id = ${zone.id}`
    return found
  }
  const former = await record()
  applyEdit(s.simulator.state, { kind: 'edit-record', zone: zone.id, recordId: former?.recordId ?? '', set: { content: '192.0.2.99' } })
  await s.read()
  const [change] = (await call.providerChanges.list({ outside: true })).changes
  const found = await eventually(async () => {
    const answer = await call.providerChanges.entries({ id: change?.id ?? '' })
    expect(answer.refusal).toBe(null)
    return answer
  })
  expect(found.entries).toMatchObject([{ before: { content: former?.content }, after: { content: '192.0.2.99' } }])
  const input = { id: found.domainId ?? '', ids: found.entries.map(({ id }) => id) }
  const { token, steps } = await call.history.previewRevert(input)
  expect(steps).toMatchObject([{ state: 'will_change' }])
  expect(await call.history.revert({ ...input, token })).toEqual({ done: 1, failed: [] })
  expect(await record()).toEqual(former)
  expect(await call.providerChanges.entries({ id: change?.id ?? '' })).toMatchObject({ refusal: 'reverted' })
})

test('domains that others add or delete are listed after one run', async () => {
  const s = await stage()
  await s.read()
  applyEdit(s.simulator.state, { kind: 'create-zone', accountId: s.credential(0).accountId, name: 'added.example' })
  await s.read()
  await eventually(async () => expect(await s.sql`select 1 from zones where name = 'added.example'`).toHaveLength(1))
})

test('what the panel changes is listed as its own and not read again', async () => {
  const s = await stage()
  await s.read()
  const zone = s.zone()
  const [row] = await s.sql<{ id: string }[]>`select id from zones where zone_id = ${zone.id}`
  await s.person.call.records.create({ id: row?.id ?? '', type: 'A', name: 'own', content: '192.0.2.78' })
  s.simulator.journal.reset()
  await s.read()
  expect(await s.sql`select is_own, kind, action from provider_changes`).toEqual([{ isOwn: true, kind: 'records', action: 'create' }])
  expect(await s.sql`select 1 from zones where records_due_at is not null`).toHaveLength(0)
  expect(s.simulator.journal.count()).toBe(1)
})

test('changes that appear twice, late or in another order are stored once, and the delay is measured', async () => {
  const s = await stage()
  await s.read()
  const first = s.add(30)
  Object.assign(s.log().settings, { duplicates: true, shuffled: true })
  await s.read()
  await s.read()
  // Logged before those that are stored already.
  const late = s.add(5, Date.now() - 40 * minute)
  await s.read()
  expect((await s.stored()).toSorted()).toEqual([...first, ...late].toSorted())
  const row = await s.row()
  expect(row?.state).toBe('working')
  expect(row?.delaySeconds).toBeGreaterThanOrEqual(40 * 60)
  expect(row?.delaySeconds).toBeLessThan(45 * 60)
  expect(row?.longestDelaySeconds).toBe(row?.delaySeconds)
})

test('browsers hear of changes that were read, and of none without any', async () => {
  const s = await stage()
  const heard: string[] = []
  const end = s.services.events.subscribe((_ownerId, { kind, accountIds }) => {
    if (kind === 'provider_changes') heard.push(...accountIds)
  })
  s.add(3)
  await s.read()
  await eventually(() => expect(heard).toEqual([s.accountId]))
  await s.read()
  // The log was read again without a new change; the next event is that of a later one.
  s.add(1, Date.now() - minute)
  await s.read()
  await eventually(() => expect(heard).toEqual([s.accountId, s.accountId]))
  end()
})

test('ten thousand changes are stored in pages, all of them once', async () => {
  const s = await stage({ sync: { changesEverySeconds: 5 } })
  const ids = s.add(10_000)
  s.simulator.journal.reset()
  await s.read()
  expect(await s.stored()).toHaveLength(ids.length)
  expect(s.calls({ path })).toBe(10)
  // Readings of a busy account are further apart.
  expect((await s.row())?.dueInSeconds).toBeGreaterThan(40)
})

test('a reading continues where it was interrupted, and begins again from what is known if its cursor has expired', async () => {
  const s = await stage()
  const ids = s.add(2_500)
  await s.sql`
    update change_feeds set since = now() - interval '2 hours', before = now() + interval '5 minutes', cursor = 'former'
    where account_id = ${s.accountId}`
  s.log().settings.cursorsExpired = true
  await s.read()
  expect(await s.row()).toMatchObject({ state: 'failed', cursor: null })
  s.log().settings.cursorsExpired = false
  await s.read()
  expect(await s.row()).toMatchObject({ state: 'working', cursor: null })
  expect(await s.stored()).toEqual(ids)
})

test('without the permission this is stored with the provider’s words, tried again hours later, and the sync goes on', async () => {
  const s = await stage()
  s.simulator.faults.add({ path: '/accounts/*/logs/audit', effect: { kind: 'forbidden' } })
  await s.read()
  const row = await s.row()
  expect(row).toMatchObject({ state: 'no_permission', errorMessage: 'Authentication error' })
  expect(row?.dueInSeconds).toBeGreaterThan(5 * 3_600)
  expect(await s.state(s.accountId)).toMatchObject({ health: 'working' })
  await s.sql`update accounts set next_sync_at = now()`
  await s.settled(s.accountId)

  s.simulator.faults.clear()
  await s.person.call.accounts.sync({ id: s.accountId })
  await eventually(async () => expect((await s.row())?.state).toBe('working'))
})

test('with domains in several accounts at the provider, or none, it is unclear whose log to read', async () => {
  const s = await stage()
  await s.sql`update zones set provider_account_id = 'another' where id = (select id from zones limit 1)`
  await s.read()
  expect(await s.row()).toMatchObject({ state: 'account_unclear' })
  expect(await s.stored()).toEqual([])
})

test('an account that is removed while its log is read leaves nothing and is no error', async () => {
  const errors: unknown[] = []
  let remove = async (): Promise<void> => undefined
  const s = await stage({
    around: (host) => ({
      ...host,
      connect: (...given) => {
        const connection = host.connect(...given)
        return {
          ...connection,
          listChanges: async (...call) => {
            const page = await connection.listChanges(...call)
            await remove()
            return page
          },
        }
      },
    }),
  })
  s.add(5)
  s.services.log.error = (entry: unknown) => errors.push(entry)
  remove = async () => {
    await s.sql`delete from accounts where id = ${s.accountId}`
  }
  await s.sql`update change_feeds set due_at = now()`
  await eventually(async () => expect(await s.sql`select 1 from change_feeds`).toHaveLength(0))
  // The reading has ended.
  await s.scheduler.stop()
  expect(await s.sql`select 1 from provider_changes`).toHaveLength(0)
  expect(errors).toEqual([])
})

test('a worker killed at any moment of a reading loses no change and stores none twice', async () => {
  const script = fileURLToPath(new URL('../../testing/worker.ts', import.meta.url))
  const key = randomBytes(32)
  const panel = await createTestPanel({ world: { zones: 2, recordsPerZone: 1 }, latencyMs: 2 })
  const services = { ...panel.services, secrets: createSecrets(key) }
  const { sql } = services.db
  const start = () => fork(script, [panel.databaseUrl, panel.simulator.url, key.toString('base64')], { stdio: 'inherit' })
  let worker = start()
  try {
    const { actor } = await signIn(services)
    const { email, globalKey, accountId } = panel.credential(0)
    await callAs(services, actor).accounts.add({ email, apiKey: globalKey })
    await eventually(async () => expect(await sql`select 1 from change_feeds`).toHaveLength(1))
    const ids = Array.from({ length: 20_000 }, (_, n) =>
      panel.simulator.state.auditLog.add({ id: accountId }, {}, { timeMs: Date.now() - 10 * minute + n }),
    )
    for (const calls of [1, 2, 1, 3]) {
      const from = panel.simulator.journal.count({ path })
      await sql`update change_feeds set due_at = now()`
      await sql`select pg_notify('zonedeck_sync', 'due')`
      await vi.waitFor(() => expect(panel.simulator.journal.count({ path })).toBeGreaterThanOrEqual(from + calls), {
        timeout: 60_000,
        interval: 1,
      })
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      worker = start()
    }
    await vi.waitFor(
      async () => {
        const [feed] = await sql<{ done: boolean }[]>`select cursor is null and state = 'working' as done from change_feeds`
        expect(feed).toEqual({ done: true })
      },
      { timeout: 60_000, interval: 50 },
    )
    const rows = await sql<{ changeId: string }[]>`select change_id from provider_changes order by changed_at, change_id`
    expect(rows.map((row) => row.changeId)).toEqual(ids)
    // Pages stored before a kill are not read again.
    expect(panel.simulator.journal.count({ path })).toBeLessThan(20 + 4 * 3)
  } finally {
    worker.kill('SIGKILL')
    await panel.close()
  }
}, 180_000)
