import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Database } from '#server/db/client.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLog } from '#server/platform/log.ts'
import type { Services } from '#server/platform/context.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { State } from '#server/simulators/cloudflare/state.ts'
import { between, randomFrom } from '#server/simulators/random.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials } from '#server/simulators/world.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import type { Bench, Figure } from './bench.ts'
import { startDatabase } from './panel.ts'

interface Size {
  /** The provider accepts 25 new domains per user in ten minutes. */
  readonly accounts: number
  readonly adds: number
  readonly changes: number
  readonly kills: number
}

const script = fileURLToPath(new URL('../server/testing/worker.ts', import.meta.url))
const marked = 'killed'

/** Inserts the simulated accounts and zones as if they had been synced. */
async function seedAccounts({ db, secrets }: Services, state: State, credentials: readonly AccountCredentials[], ownerId: string) {
  const accountIds: string[] = []
  const ids: string[] = []
  for (const { email, globalKey, accountId, userId } of credentials) {
    const own = { ownerId: ownerId, email, providerUserId: userId }
    const account = await insertAccount(db, own, { secrets, apiKey: globalKey })
    accountIds.push(account.id)
    const theirs = [...state.zonesOfAccount(accountId)]
    const rows = await insertZones(db, { ownerId: ownerId, accountId: account.id }, theirs.length, (at) => ({
      providerZoneId: theirs[at]?.id ?? '',
      name: theirs[at]?.name ?? '',
      providerAccountId: accountId,
      recordsReadAt: new Date(),
      recordsCount: 0,
    }))
    ids.push(...rows.map(({ id }) => id))
  }
  return { accountIds, ids }
}

/** Checks that the provider, the items, the mirror and the history agree. */
async function compareWithProvider(
  report: (figure: Figure) => void,
  db: Database,
  state: State,
  { adds, changes }: Pick<Size, 'adds' | 'changes'>,
): Promise<void> {
  const items = await db.sql<{ name: string; kind: string; state: string; code: string | null }[]>`
    select i.name, o.kind, i.state, i.code from operation_items i join operations o on o.id = i.operation_id`
  const zones = [...state.zonesById.values()]
  const at = Map.groupBy(zones, ({ name }) => name)
  const countOf = (name: string, test: (record: { readonly name: string; readonly type: string }) => boolean) =>
    (at.get(name) ?? []).reduce((sum, zone) => sum + recordsOf(state, zone).filter(test).length, 0)
  const odd = items.filter(({ name, kind, state }) => {
    const there = at.get(name)?.length ?? 0
    if (kind === 'create')
      return there !== (state === 'done' ? 1 : 0) || (state === 'done' && countOf(name, ({ type }) => type === 'A') !== 1)
    return there !== 1 || countOf(name, (each) => each.name === `${marked}.${name}`) !== (state === 'done' ? 1 : 0)
  })
  const ended = items.filter(({ state }) => state === 'done').length
  const [mirror] = await db.sql<{ zones: number; logged: number; twice: number }[]>`
    select (select count(*)::int from zones where name like 'added-%') as zones,
      (select count(*)::int from zone_changes where subject = 'record' and label like ${`TXT ${marked}.%`}) as logged,
      (select count(*)::int from (select from zone_changes where label like ${`TXT ${marked}.%`} group by zone_id having count(*) > 1) d) as twice`
  const zero = (name: string, value: number) => report({ name, value, unit: '', against: { kind: 'at most', value: 0, what: 'none' } })
  zero('items that differ from the provider', odd.length)
  zero('items that were not done', items.length - ended)
  zero('added domains missing in the panel', adds - (mirror?.zones ?? 0))
  zero('changes missing or duplicated in the history', Math.abs(changes - (mirror?.logged ?? 0)) + (mirror?.twice ?? 0))
  for (const item of odd.slice(0, 5)) process.stderr.write(`${JSON.stringify(item)}\n`)
}

/** Adds domains and records while two workers are killed repeatedly. */
async function kill(report: (figure: Figure) => void, { accounts, adds, changes, kills }: Size): Promise<void> {
  const key = randomBytes(32)
  const world = buildWorld({ zones: Math.max(changes, accounts), accounts, seed: 5, recordsPerZone: 2, plain: true })
  const simulator = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null, latencyMs: 5 })
  const database = await startDatabase()
  const { db } = database
  const log = createLog('silent')
  const events = await createEvents(db.sql, log)
  const secrets = createSecrets(key)
  const callBudget = { limit: 1_200, windowMs: 300_000 }
  const services = {
    db,
    log,
    events,
    secrets,
    callBudget,
    clock: systemClock,
    loops: new Map(),
    sessions: createSessions(db),
  } as unknown as Services
  const begin = () =>
    fork(script, [database.url, simulator.url, key.toString('base64'), 'operations'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const workers = [begin(), begin()]
  try {
    const owner = await signIn(services)
    const { accountIds, ids } = await seedAccounts(services, simulator.state, world.credentials, owner.user.id)
    const record = { type: 'TXT', name: marked, content: '"once"', ttl: 1, proxied: false } as const
    const change = await owner.call.operations.preview({
      request: { kind: 'dns_add', input: { records: [record] } },
      target: { ids: ids.slice(0, changes) },
    })
    const names = Array.from({ length: adds }, (_, index) => `added-${index}.com`)
    const add = await owner.call.operations.previewCreate({ domains: names, accountIds, ipAddress: '203.0.113.5', profileId: null })
    for (const { operation } of [change, add]) await owner.call.operations.start({ id: operation.id })

    const random = randomFrom(20261121)
    let killed = 0
    const left = async () => {
      const [row] = await db.sql<{ n: number }[]>`
        select count(*)::int as n from operation_items where state in ('pending', 'running', 'waiting')`
      return row?.n ?? 0
    }
    const total = adds + changes
    let calls = simulator.journal.count()
    while ((await left()) > 0) {
      // Kills are spread randomly over the run.
      const due = killed < kills && (await left()) < total * (1 - killed / (kills + 1)) && simulator.journal.count() > calls
      if (due) {
        const at = killed % workers.length
        await systemClock.sleep(between(random, 0, 30))
        workers[at]?.kill('SIGKILL')
        const gone = workers[at]
        if (gone !== undefined && gone.exitCode === null && gone.signalCode === null) await once(gone, 'exit')
        workers[at] = begin()
        killed += 1
        calls = simulator.journal.count()
      }
      await systemClock.sleep(10)
    }
    report({
      name: `workers killed during ${total} adds and changes`,
      value: killed,
      unit: '',
      against: { kind: 'at least', value: kills, what: 'in the middle of the run' },
    })

    await compareWithProvider(report, db, simulator.state, { adds, changes })
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await events.close()
    await database.close()
    await simulator.close()
  }
}

export const killRun: Bench = {
  about: 'workers killed at random moments during 1,000 adds and changes: the provider, the items and the history agree',
  run: (report) => kill(report, { accounts: 40, adds: 500, changes: 500, kills: 25 }),
}

if (import.meta.main) {
  await kill(({ name, value, against }) => process.stdout.write(`${name}: ${value}, ${against.kind} ${against.value}\n`), {
    accounts: 4,
    adds: 20,
    changes: 40,
    kills: 4,
  })
}
