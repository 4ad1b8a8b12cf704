import { listAccounts } from '#server/features/accounts/index.ts'
import { readBackupState } from '#server/features/backup/index.ts'
import { credentialOf, decryptApiKey } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { listProcessClocks, toleratedSkewMs } from '#server/platform/process-clocks.repo.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import type { SystemState } from '#shared/features/settings/schema.ts'
import { listBudgetCallers, readDatabaseState, readQueueState } from './settings.repo.ts'

/** A page of accounts: tens of thousands would be megabytes, every few seconds. */
const accountsAtMost = 500

/** The status of the panel and of the accounts visible to the person; the panel's part is for administrators in the browser only. */
export async function getSystem(ctx: Ctx): Promise<SystemState> {
  const { accounts } = await listAccounts(ctx, {})
  const administers = ctx.actor.role === 'admin' && ctx.actor.via === undefined
  const [panel, budgetOf] = await Promise.all([administers ? readPanelState(ctx) : null, readBudgets(ctx, accounts)])
  const shown = accounts
    .flatMap((account) => {
      const budget = budgetOf.get(account.id)
      // Deleted between the two queries.
      return budget === undefined ? [] : [{ account, budget }]
    })
    .toSorted(byConcern)
    .slice(0, accountsAtMost)
  const budgets = [...new Map(shown.map(({ budget }) => [budget.key, budget])).values()]
  const numbers = new Map(budgets.map(({ key }, number) => [key, number]))
  return {
    version: ctx.version,
    panel: panel && { ...panel, detailsPending: accounts.reduce((sum, { sync }) => sum + sync.detailsPending, 0) },
    accounts: shown.map(({ account: { id, email, name, ownerId, ownerName, zonesCount, sync }, budget }) => ({
      id,
      email,
      name,
      ownerId,
      ownerName,
      zonesCount,
      sync,
      budget: numbers.get(budget.key) ?? 0,
    })),
    accountsTotal: accounts.length,
    budgets: budgets.map(({ used, limit, windowMs, blockedUntil }) => ({
      used,
      limit,
      windowSeconds: windowMs / 1000,
      blockedUntil: blockedUntil?.toISOString() ?? null,
    })),
  }
}

interface Concern {
  readonly account: Account
  readonly budget: BudgetReading
}
type BudgetReading = Awaited<ReturnType<Ctx['dnsHost']['readBudgets']>>[number]

/** Undecryptable or refused accounts first, then by budget usage, then by the age of the last sync. */
function byConcern(one: Concern, other: Concern): number {
  const trouble = ({ account, budget }: Concern) => Number(account.sync.state === 'failed') + Number(budget.blockedUntil !== null)
  const share = ({ budget: { used, limit } }: Concern) => (limit === 0 ? 0 : used / limit)
  const readAt = ({ account }: Concern) => account.sync.syncedAt ?? ''
  return (
    trouble(other) - trouble(one) ||
    share(other) - share(one) ||
    (readAt(one) < readAt(other) ? -1 : readAt(one) > readAt(other) ? 1 : 0) ||
    one.account.email.localeCompare(other.account.email)
  )
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

/** An undecryptable key has made no calls, so its account has its own budget; the account's page shows the problem. */
function readKey(ctx: Ctx, account: { readonly id: string; readonly email: string; readonly apiKeySealed: string }): string {
  try {
    return decryptApiKey(ctx.secrets, account)
  } catch {
    return account.id
  }
}

/** The budget of each account: one for all accounts of a provider's user. */
async function readBudgets(ctx: Ctx, accounts: readonly { readonly id: string }[]): Promise<Map<string, BudgetReading>> {
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
  return new Map(
    callers.flatMap(({ id }, index) => {
      const use = uses[index]
      return use === undefined ? [] : [[id, use] as const]
    }),
  )
}
