import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, vi } from 'vitest'
import { countUnendedItems, operationKinds, startOperations } from '#server/features/operations/index.ts'
import type { OperationOptions, OperationRunner } from '#server/features/operations/index.ts'
import type { Services } from '#server/platform/context.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel, TestPanelOptions } from '#server/testing/panel.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'

const script = fileURLToPath(new URL('worker.ts', import.meta.url))

export interface OperationWorld {
  readonly panel: TestPanel
  /** The panel's secrets, with a key that worker processes share. */
  readonly services: Services
  readonly ann: SignedIn
  /** Zone ids in the panel and zones at the provider, in the same order. */
  readonly ids: readonly string[]
  readonly sims: readonly SimZone[]
  readonly accountIds: readonly string[]
  /** Plans and starts an operation. */
  begin(request: OperationRequest, ids?: readonly string[]): Promise<string>
  /** Plans and starts the undo. */
  beginUndo(id: string): Promise<string>
  /** Runs operations in this process. */
  work(options?: Partial<OperationOptions>): Promise<OperationRunner>
  /** A separate worker process, ready to work. */
  forkWorker(): Promise<ChildProcess>
  /** Resolves after the provider has answered this many more matching calls. */
  calls(count: number, match?: Parameters<TestPanel['simulator']['journal']['count']>[0]): Promise<void>
  /** Resolves once the operation is in this state. */
  reaches(id: string, state: string): Promise<void>
}

/** Accounts with their zones at the provider and in the mirror, their owner, and processes that run operations on them. */
export async function createOperationWorld(
  zones: number,
  accounts: number,
  options: Omit<TestPanelOptions, 'world'> & { readonly recordsPerZone?: number; readonly read?: boolean } = {},
): Promise<OperationWorld> {
  const { recordsPerZone = 2, read = true, ...rest } = options
  const panel = await createTestPanel({ ...rest, world: { zones, accounts, recordsPerZone } })
  onTestFinished(() => panel.close())
  // Invariant: a finished operation has no pending items.
  onTestFinished(async () => expect(await countUnendedItems(panel.services.db)).toBe(0))
  const { simulator } = panel
  const key = randomBytes(32)
  const services = { ...panel.services, secrets: createSecrets(key) }
  const ann = await signIn(services)
  const ids: string[] = []
  const sims: SimZone[] = []
  const accountIds: string[] = []
  for (let index = 0; index < accounts; index += 1) {
    const { email, globalKey, accountId, userId } = panel.credential(index)
    const account = await insertAccount(
      services.db,
      { ownerId: ann.user.id, email, providerUserId: userId },
      { secrets: services.secrets, apiKey: globalKey },
    )
    accountIds.push(account.id)
    const theirs = [...simulator.state.zonesOfAccount(accountId)]
    const rows = await insertZones(services.db, { ownerId: ann.user.id, accountId: account.id }, theirs.length, (at) => ({
      providerZoneId: theirs[at]?.id ?? '',
      name: theirs[at]?.name ?? '',
      ...(read && { recordsReadAt: new Date(), recordsCount: 0 }),
    }))
    ids.push(...rows.map(({ id }) => id))
    sims.push(...theirs)
  }
  simulator.journal.reset()
  const start = async (id: string) => {
    await ann.call.operations.start({ id })
    return id
  }
  return {
    panel,
    services,
    ann,
    ids,
    sims,
    accountIds,
    async begin(request, selected = ids) {
      return start((await ann.call.operations.preview({ request, target: { ids: [...selected] } })).operation.id)
    },
    async beginUndo(id) {
      return start((await ann.call.operations.previewUndo({ id })).operation.id)
    },
    async work(given = {}) {
      const runner = await startOperations(services, operationKinds, { pollMs: 50, ...given })
      onTestFinished(() => runner.stop())
      return runner
    },
    async forkWorker() {
      const worker = fork(script, [panel.databaseUrl, simulator.url, key.toString('base64'), 'operations'], { stdio: 'inherit' })
      onTestFinished(() => void worker.kill('SIGKILL'))
      await once(worker, 'message')
      return worker
    },
    async calls(count, match) {
      const until = simulator.journal.count(match) + count
      await vi.waitFor(() => expect(simulator.journal.count(match)).toBeGreaterThanOrEqual(until), { timeout: 60_000, interval: 1 })
    },
    async reaches(id, state) {
      const now = async () => (await services.db.sql<{ state: string }[]>`select state from operations where id = ${id}`)[0]?.state
      await expect.poll(now, { timeout: 60_000, interval: 20 }).toBe(state)
    },
  }
}
