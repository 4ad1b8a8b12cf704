import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import type { FaultEffect } from '#server/simulators/faults.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel, TestPanelOptions } from '#server/testing/panel.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import { operationKinds, startOperations } from './index.ts'

interface Deck {
  readonly panel: TestPanel
  readonly ann: SignedIn
  readonly ids: readonly string[]
  /** The encryption key of the accounts' API keys. */
  readonly key: Buffer
  /** Starts all operations together. */
  begin(requests: readonly OperationRequest[]): Promise<string[]>
  /** Runs the operations in this process. */
  work(): Promise<void>
  /** Resolves when no item is left. */
  end(): Promise<void>
}

const script = fileURLToPath(new URL('../../testing/worker.ts', import.meta.url))

/** Accounts with zones at the provider and in the mirror, and a user who owns them all. */
async function deal(zones: number, accounts: number, options: Omit<TestPanelOptions, 'world'> = {}): Promise<Deck> {
  const panel = await createTestPanel({ ...options, world: { zones, accounts, recordsPerZone: 2 } })
  onTestFinished(() => panel.close())
  const { simulator } = panel
  const key = randomBytes(32)
  const services = { ...panel.services, secrets: createSecrets(key) }
  const ann = await signIn(services)
  const ids: string[] = []
  for (let index = 0; index < accounts; index += 1) {
    const { email, globalKey, accountId, userId } = panel.credential(index)
    const account = await insertAccount(
      services.db,
      { ownerId: ann.user.id, email, providerUserId: userId },
      { secrets: services.secrets, apiKey: globalKey },
    )
    const theirs = [...simulator.state.zonesOfAccount(accountId)]
    const rows = await insertZones(services.db, { ownerId: ann.user.id, accountId: account.id }, theirs.length, (at) => ({
      providerZoneId: theirs[at]?.id ?? '',
      name: theirs[at]?.name ?? '',
      recordsReadAt: new Date(),
      recordsCount: 0,
    }))
    ids.push(...rows.map(({ id }) => id))
  }
  for (const zone of simulator.state.zonesById.values()) {
    applyEdit(simulator.state, { kind: 'setting', zone: zone.id, setting: 'min_tls_version', value: '1.0' })
  }
  return {
    panel,
    ann,
    ids,
    key,
    async begin(requests) {
      const operationIds: string[] = []
      for (const request of requests) {
        const { operation } = await ann.call.operations.preview({ request, target: { ids: [...ids] } })
        operationIds.push(operation.id)
      }
      for (const id of operationIds) await ann.call.operations.start({ id })
      return operationIds
    },
    async work() {
      const runner = await startOperations(services, operationKinds, { pollMs: 50 })
      onTestFinished(() => runner.stop())
    },
    async end() {
      const left = () => services.db.sql<{ n: number }[]>`select count(*)::int as n from operations where state not in ('draft', 'done')`
      // The database may be unavailable.
      await expect.poll(async () => (await left().catch(() => []))[0]?.n, { timeout: 110_000, interval: 50 }).toBe(0)
    },
  }
}

const tls: OperationRequest = { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } }
const txt: OperationRequest = {
  kind: 'dns_add',
  input: { records: [{ type: 'TXT', name: 'faulty', content: '"once"', ttl: 1, proxied: false }], mode: 'add', values: [] },
}

interface Item {
  readonly zone: string
  readonly account: string
  readonly state: string
  readonly code: string | null
}
const itemsOf = ({ panel }: Deck, operationId: string | undefined) => panel.services.db.sql<Item[]>`
  select z.zone_id as zone, i.account_email as account, i.state, i.code from operation_items i join zones z on z.id = i.zone_id
  where i.operation_id = ${operationId ?? ''} order by i.position`

/** The provider's state by zone: whether the setting was changed, and how many copies of the added record there are. */
function stateAt({ panel: { simulator } }: Deck) {
  return new Map(
    [...simulator.state.zonesById.values()].map((zone) => [
      zone.id,
      {
        tls: simulator.state.changesOf(zone).settings.get('min_tls_version')?.value === '1.3',
        records: recordsOf(simulator.state, zone).filter(({ name }) => name.startsWith('faulty.')).length,
      },
    ]),
  )
}

/** The provider must match the items: each change exists once if its item is done, and not at all otherwise. */
async function expectAgreement(deck: Deck, tlsId: string | undefined, txtId: string | undefined): Promise<Item[]> {
  const there = stateAt(deck)
  const settings = await itemsOf(deck, tlsId)
  const records = await itemsOf(deck, txtId)
  const odd = [
    ...settings.filter(({ zone, state }) => there.get(zone)?.tls !== (state === 'done')),
    ...records.filter(({ zone, state }) => there.get(zone)?.records !== (state === 'done' ? 1 : 0)),
  ].map((item) => ({ ...item, there: there.get(item.zone) }))
  expect(odd).toEqual([])
  return [...settings, ...records]
}

test('1,000 items with a fifth of their calls failing each end done or failed with a reason, and the provider matches them', async () => {
  const deck = await deal(500, 25)
  const effects: readonly FaultEffect[] = [
    { kind: 'rate-limited', retryAfterSeconds: 1 },
    { kind: 'server-error', status: 502, body: 'html' },
    { kind: 'server-error', status: 503 },
    { kind: 'timeout-after-write', holdMs: 100 },
    { kind: 'cut-body' },
    { kind: 'reset' },
    { kind: 'malformed-json' },
  ]
  // The first matching fault wins, so together they affect a fifth of the calls.
  for (const effect of effects) deck.panel.simulator.faults.add({ probability: 0.0315, effect })
  const [tlsId, txtId] = await deck.begin([tls, txt])
  await deck.work()
  await deck.end()
  const items = await expectAgreement(deck, tlsId, txtId)
  expect(items).toHaveLength(1_000)
  expect(items.filter(({ state, code }) => state !== 'done' && !(state === 'failed' && code !== null))).toEqual([])
  // An item fails after six rounds of attempts, so almost none should.
  expect(items.filter(({ state }) => state === 'failed').length).toBeLessThan(20)
  expect(deck.panel.simulator.journal.count({ status: 502 })).toBeGreaterThan(10)
  const [{ twice } = { twice: null }] = await deck.panel.services.db.sql<{ twice: number }[]>`
    select count(*)::int as twice from (select from zone_changes where batch_id = ${txtId ?? ''} group by zone_id having count(*) > 1) doubled`
  expect(twice).toBe(0)
}, 120_000)

test('a key revoked during the run stops only its own account', async () => {
  let halfWay: () => void = () => undefined
  const deck = await deal(90, 3, {
    latencyMs: 5,
    around: (host) => ({
      ...host,
      connect: (credential, caller) => {
        const connection = host.connect(credential, caller)
        return {
          ...connection,
          editSetting: (...call) => {
            if (caller === userId && (calls += 1) === 3) halfWay()
            return connection.editSetting(...call)
          },
        }
      },
    }),
  })
  const { simulator } = deck.panel
  const { userId, email } = deck.panel.credential(0)
  let calls = 0
  halfWay = () => applyEdit(simulator.state, { kind: 'revoke-key', userId })
  const [tlsId] = await deck.begin([tls])
  await deck.work()
  await deck.end()
  const items = await itemsOf(deck, tlsId)
  const there = stateAt(deck)
  const theirs = items.filter(({ account }) => account === email)
  const failed = theirs.filter(({ state }) => state === 'failed')
  expect(items.filter(({ account, state }) => account !== email && state !== 'done')).toEqual([])
  expect(failed.length).toBeGreaterThan(0)
  expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['provider_auth']))
  expect(theirs.filter(({ zone, state }) => (there.get(zone)?.tls === true) !== (state === 'done'))).toEqual([])
  // The other items of the account were not sent.
  expect(simulator.journal.count({ status: 403, method: 'PATCH' })).toBeLessThan(failed.length)
}, 60_000)

test('when the database goes down during a run and comes back, nothing is lost and nothing is done twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonedeck-restart-'))
  await chmod(folder, 0o711)
  const embedded = await startEmbedded(folder, createLog('silent'))
  await migrate(embedded.url)
  const db = connect(embedded.url, { name: 'zonedeck-test' })
  onTestFinished(async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const deck = await deal(60, 3, { latencyMs: 10, database: { db, url: embedded.url, close: () => db.close() } })
  const { simulator } = deck.panel
  const [tlsId, txtId] = await deck.begin([tls, txt])
  const worker = fork(script, [embedded.url, simulator.url, deck.key.toString('base64'), 'operations'], { stdio: 'ignore' })
  onTestFinished(() => void worker.kill('SIGKILL'))
  await expect.poll(() => simulator.journal.count(), { interval: 2, timeout: 30_000 }).toBeGreaterThan(40)
  const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  // Simulates a power loss: the database recovers from its log.
  process.kill(Number(pid), 'SIGQUIT')
  await deck.end()
  expect(worker.exitCode).toBeNull()
  const items = await expectAgreement(deck, tlsId, txtId)
  expect(items.filter(({ state }) => state !== 'done')).toEqual([])
}, 90_000)

test('a clock that jumps ahead and back neither stops a run nor repeats a change', async () => {
  let offMs = 0
  const clock = { ...systemClock, now: () => Date.now() + offMs }
  const deck = await deal(90, 3, { latencyMs: 5, clock })
  const { simulator } = deck.panel
  const [tlsId, txtId] = await deck.begin([tls, txt])
  await deck.work()
  for (const [calls, jumpMs] of [
    [20, 3_600_000],
    [60, -7_200_000],
    [100, 0],
  ] as const) {
    await expect.poll(() => simulator.journal.count(), { interval: 1, timeout: 20_000 }).toBeGreaterThan(calls)
    offMs = jumpMs
  }
  await deck.end()
  const items = await expectAgreement(deck, tlsId, txtId)
  expect(items.filter(({ state }) => state !== 'done')).toEqual([])
  expect(simulator.journal.count({ method: 'PATCH' })).toBe(90)
  expect(simulator.journal.count({ method: 'POST' })).toBe(90)
}, 60_000)
