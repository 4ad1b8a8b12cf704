import { listAccounts } from '#server/features/accounts/index.ts'
import { readBackupState } from '#server/features/backup/index.ts'
import { credentialOf, openApiKey } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { listProcessClocks } from '#server/platform/process-clocks.repo.ts'
import { toleratedSkewMs } from '#server/platform/watch-clock.ts'
import type { SystemState } from '#shared/features/settings/schema.ts'
import { listBudgetCallers, readDatabaseState, readQueueState } from './settings.repo.ts'

/** How the panel is, and how each account that the person may see is; the whole panel's part only for administrators. */
export async function getSystem(ctx: Ctx): Promise<SystemState> {
  const { accounts } = await listAccounts(ctx, {})
  const [panel, found] = await Promise.all([ctx.actor.role === 'admin' ? readPanelState(ctx) : null, readBudgets(ctx, accounts)])
  return {
    version: ctx.version,
    panel: panel && { ...panel, detailsPending: accounts.reduce((sum, { sync }) => sum + sync.detailsPending, 0) },
    accounts: accounts.flatMap(({ id, email, name, ownerId, ownerName, zonesCount, sync }) => {
      const budget = found.numberOf.get(id)
      // Deleted between the two questions.
      return budget === undefined ? [] : [{ id, email, name, ownerId, ownerName, zonesCount, sync, budget }]
    }),
    budgets: found.budgets,
  }
}

async function readPanelState(ctx: Ctx) {
  const [database, queue, backups, measured] = await Promise.all([
    readDatabaseState(ctx.db),
    readQueueState(ctx.db),
    readBackupState(ctx),
    listProcessClocks(ctx.db.orm),
  ])
  const clocks = measured
    .filter(({ skewMs }) => Math.abs(skewMs) > toleratedSkewMs)
    .map((clock) => ({ ...clock, measuredAt: clock.measuredAt.toISOString() }))
  return { database, backups, clocks, queue: { ...queue, since: queue.since?.toISOString() ?? null } }
}

/** A key that cannot be read has called nothing, so its account has a budget of its own; it is the account's page that names the fault. */
function readKey(ctx: Ctx, account: { readonly id: string; readonly email: string; readonly apiKeySealed: string }): string {
  try {
    return openApiKey(ctx.secrets, account)
  } catch {
    return account.id
  }
}

/** Each budget once, whatever number of accounts call out of it. */
async function readBudgets(ctx: Ctx, accounts: readonly { readonly id: string }[]) {
  const callers = await listBudgetCallers(
    ctx.db.orm,
    accounts.map(({ id }) => id),
  )
  const uses = await ctx.dnsHost.readBudgets(
    callers.map((account) => ({
      credential: () => credentialOf(account.kind, account.email, readKey(ctx, account)),
      userId: account.providerUserId,
    })),
  )
  const distinct = new Map(uses.map((use) => [use.key, use]))
  const positions = new Map([...distinct.keys()].map((key, position) => [key, position]))
  return {
    numberOf: new Map(callers.map(({ id }, index) => [id, positions.get(uses[index]?.key ?? '') ?? -1])),
    budgets: [...distinct.values()].map(({ used, limit, windowMs, blockedUntil }) => ({
      used,
      limit,
      windowSeconds: windowMs / 1000,
      blockedUntil: blockedUntil?.toISOString() ?? null,
    })),
  }
}
