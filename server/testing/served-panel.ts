import { vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'

export interface ServedPanel {
  readonly url: string
  readonly panel: TestPanel
  /** Has two accounts, with every domain of the world synced. */
  readonly owner: SignedIn
  /** API tokens of the owner. */
  readonly readToken: string
  readonly writeToken: string
  /** Closes every connection, like a restarting proxy. */
  cut(): void
  close(): Promise<void>
}

/** A listening panel with a small synced world and an operation runner: for testing external clients. */
export async function servePanel(zones: number): Promise<ServedPanel> {
  const panel = await createTestPanel({ world: { zones, accounts: 2 } })
  const app = await buildApp(panel.services, { publicUrl: 'http://127.0.0.1', trustProxy: [], clientDir: null })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const owner = await signIn(panel.services)
  for (const index of [0, 1]) {
    const { email, globalKey } = panel.credential(index)
    await owner.call.accounts.add({ email, apiKey: globalKey })
  }
  await panel.startSync()
  const runner = await startOperations(panel.services, operationKinds, { pollMs: 20 })
  await vi.waitFor(
    async () => {
      const [row] = await panel.services.db.sql<{ n: number }[]>`
        select count(*)::int as n from zones where records_read_at is not null and settings_read_at is not null`
      if (row?.n !== zones) throw new Error(`${row?.n} of ${zones} domains have been read`)
    },
    { timeout: 50_000, interval: 50 },
  )
  const token = async (scope: 'read' | 'write') => (await owner.call.apiTokens.create({ name: `${scope} tool`, scope })).secret
  return {
    url,
    panel,
    owner,
    readToken: await token('read'),
    writeToken: await token('write'),
    cut: () => app.server.closeAllConnections(),
    async close() {
      await runner.stop()
      app.server.closeAllConnections()
      await app.close()
      await panel.close()
    },
  }
}
