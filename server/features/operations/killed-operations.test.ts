import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { between, randomFrom } from '#server/simulators/random.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'

const script = fileURLToPath(new URL('../../testing/worker.ts', import.meta.url))
const accounts = 3
const zones = 300
const additions = 15
/** Starting a process takes most of the time, so there are few here; `bench/kill.ts` is the long run. */
const kills = 6

let panel: TestPanel | null = null
let worker: ChildProcess | null = null
afterEach(async () => {
  worker?.kill('SIGKILL')
  await panel?.close()
})

test('workers killed at any moment lose nothing and repeat nothing: provider, items and history agree', async () => {
  const key = randomBytes(32)
  panel = await createTestPanel({ world: { zones, accounts, recordsPerZone: 4 }, latencyMs: 5 })
  const { simulator, databaseUrl } = panel
  const services = { ...panel.services, secrets: createSecrets(key) }
  const { sql } = services.db
  const ann = await signIn(services)
  const ids: string[] = []
  const accountIds: string[] = []
  for (let index = 0; index < accounts; index += 1) {
    const { email, globalKey, accountId, userId } = panel.credential(index)
    const account = await insertAccount(
      services.db,
      { ownerId: ann.user.id, email, providerUserId: userId },
      { secrets: services.secrets, apiKey: globalKey },
    )
    accountIds.push(account.id)
    const theirs = [...simulator.state.zonesById.values()].filter((zone) => zone.account.id === accountId)
    const rows = await insertZones(services.db, { ownerId: ann.user.id, accountId: account.id }, theirs.length, (at) => ({
      providerZoneId: theirs[at]?.id ?? '',
      name: theirs[at]?.name ?? '',
      recordsReadAt: new Date(),
      recordsCount: 0,
    }))
    ids.push(...rows.map(({ id }) => id))
  }
  for (const { id } of simulator.state.zonesById.values()) {
    applyEdit(simulator.state, { kind: 'setting', zone: id, setting: 'min_tls_version', value: '1.0' })
  }
  // One idempotent change and one that is not: both must be there exactly once.
  const add = await ann.call.operations.preview({
    request: { kind: 'dns_add', input: { records: [{ type: 'TXT', name: 'killed', content: '"once"' }] } },
    target: { ids },
  })
  const set = await ann.call.operations.preview({
    request: { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } },
    target: { ids },
  })
  const names = Array.from({ length: additions }, (_, index) => `killed-${index}.com`)
  const create = await ann.call.operations.previewCreate({
    domains: names.map((name, index) => ({ name, accountId: accountIds[index % accounts] })),
    accountIds,
    ipAddress: '203.0.113.5',
  })
  // New domains first: each takes several calls, and the process may die between any two of them.
  await ann.call.operations.start({ id: create.operation.id, priority: 'high' })
  for (const { operation } of [add, set]) await ann.call.operations.start({ id: operation.id })
  simulator.journal.reset()
  // The first answers never arrive, so a process that waits for one dies without knowing that its zone was created.
  simulator.faults.add({ method: 'POST', path: '/zones', times: 3, effect: { kind: 'timeout-after-write' } })

  const begin = () => {
    worker = fork(script, [databaseUrl, simulator.url, key.toString('base64'), 'operations'], { stdio: 'inherit' })
    return worker
  }
  const random = randomFrom(20261121)
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = begin()
    const until = simulator.journal.count() + between(random, 1, 25)
    await vi.waitFor(() => expect(simulator.journal.count()).toBeGreaterThanOrEqual(until), { timeout: 60_000, interval: 1 })
    killed.kill('SIGKILL')
    await once(killed, 'exit')
  }
  begin()
  const left = async () => (await sql<{ n: number }[]>`select count(*)::int as n from operations where state <> 'done'`)[0]?.n
  await expect.poll(left, { timeout: 120_000 }).toBe(0)

  expect(await sql`select state, count(*)::int as n from operation_items group by 1`).toEqual([{ state: 'done', n: 2 * zones + additions }])
  const made = Map.groupBy(simulator.state.zonesById.values(), ({ name }) => (name.startsWith('killed-') ? name : 'before'))
  for (const zone of made.get('before') ?? []) {
    const ours = [...(simulator.state.changesOf(zone).records?.values() ?? [])].filter((record) => record.name.startsWith('killed.'))
    expect([zone.name, ours.length]).toEqual([zone.name, 1])
    expect(simulator.state.changesOf(zone).settings.get('min_tls_version')?.value).toBe('1.3')
  }
  expect(names.map((name) => made.get(name)?.length)).toEqual(names.map(() => 1))
  for (const name of names) {
    const [zone] = made.get(name) ?? []
    if (zone === undefined) throw new Error(`${name} is not there`)
    expect(recordsOf(simulator.state, zone).map((record) => `${record.type} ${record.name}`)).toEqual([`A ${name}`, `CNAME www.${name}`])
    expect(simulator.state.changesOf(zone).settings.get('always_use_https')?.value).toBe('on')
  }
  const [mirror] = await sql`
    select count(*)::int as rows, count(distinct z.name)::int as names,
      (select array_agg(entity_name order by entity_name) from activity where action = 'create' and entity_type = 'zone') as logged
    from zones z where z.name like 'killed-%'`
  expect(mirror).toEqual({ rows: additions, names: additions, logged: names.toSorted() })
}, 300_000)
