import { expect, onTestFinished, vi } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel, TestPanelOptions } from '#server/testing/panel.ts'

export interface SyncStage extends TestPanel {
  readonly person: SignedIn
  /** Adds the world's account like a person does. */
  add(index: number): Promise<string>
  state(accountId: string): Promise<Awaited<ReturnType<SignedIn['call']['accounts']['get']>>['account']>
  /** Resolves when everything due has been read. */
  settled(...accountIds: string[]): Promise<void>
}

/** A panel with one person, whose accounts are synced. Closed at the end of the test. */
export async function stageSync(options: TestPanelOptions): Promise<SyncStage> {
  const panel = await createTestPanel(options)
  onTestFinished(() => panel.close())
  const person = await signIn(panel.services, { role: 'user' })
  const state = async (id: string) => (await person.call.accounts.get({ id })).account
  return {
    ...panel,
    person,
    state,
    async add(index) {
      const { email, globalKey } = panel.credential(index)
      return (await person.call.accounts.add({ email, apiKey: globalKey })).account.id
    },
    async settled(...accountIds) {
      await vi.waitFor(
        async () => {
          const [row] = await panel.services.db.sql<{ open: number }[]>`
            select count(*)::int as open from accounts where id = any(${accountIds}::uuid[]) and (
              syncing or next_sync_at <= now() or details_due_at <= now() or check_requested_at > coalesce(checked_at, '-infinity'))`
          expect(row?.open).toBe(0)
        },
        { timeout: 30_000, interval: 50 },
      )
    },
  }
}
