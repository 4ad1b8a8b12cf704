import { createHash } from 'node:crypto'
import { readBackupState } from '#server/features/backup/index.ts'
import { countUnendedItems } from '#server/features/operations/index.ts'
import type { Services } from '#server/platform/context.ts'
import { listProcessClocks } from '#server/platform/process-clocks.repo.ts'
import type { ProcessClock } from '#server/platform/process-clocks.repo.ts'
import { readAccounts, readBudgets, readDatabase, readOperations, readOutbox, readProbes } from './metrics.repo.ts'
import type { BudgetFigures } from './metrics.repo.ts'

/** A value with labels; labels contain no names of people, accounts or domains, only panel ids of accounts. */
export interface Figure {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Number of reported budgets; the most recently used. */
const budgetsAtMost = 50

/** The largest clock skew per host and role, because two of one kind would be the same series. */
function skewsOf(clocks: readonly ProcessClock[]): Figure[] {
  const worst = new Map<string, ProcessClock>()
  for (const clock of clocks) {
    const key = `${clock.host} ${clock.role}`
    if (Math.abs(clock.skewMs) >= Math.abs(worst.get(key)?.skewMs ?? 0)) worst.set(key, clock)
  }
  return [...worst.values()].map(({ host, role, skewMs }) => ({ labels: { host, role }, value: skewMs / 1000 }))
}

const one = (value: number): Figure[] => [{ labels: {}, value }]
/** Identifies a budget between readings without revealing its owner. */
const budgetName = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 12)

/** Metrics of the work shared by all processes, by metric name; one query each, run concurrently. */
export async function readFigures({
  db,
  callBudget,
}: Pick<Services, 'db' | 'callBudget'>): Promise<Readonly<Record<string, readonly Figure[]>>> {
  const began = performance.now()
  await db.sql`select 1`
  const latencySeconds = (performance.now() - began) / 1000
  const [operations, probes, outbox, accounts, database, budgets, backups, inconsistent, clocks] = await Promise.all([
    readOperations(db),
    readProbes(db),
    readOutbox(db),
    readAccounts(db),
    readDatabase(db),
    readBudgets(db, callBudget, budgetsAtMost),
    readBackupState({ db }),
    countUnendedItems(db),
    listProcessClocks(db.orm),
  ])
  const items = new Map<string, number>()
  for (const { counts } of operations)
    for (const [state, count] of Object.entries(counts)) items.set(state, (items.get(state) ?? 0) + count)
  const ofBudgets = (value: (use: BudgetFigures) => number): Figure[] =>
    budgets.map((use) => ({ labels: { budget: budgetName(use.key), account: use.account ?? '' }, value: value(use) }))
  return {
    zonedeck_operations: operations.map(({ state, operations: value }) => ({ labels: { state }, value })),
    zonedeck_operation_items: [...items].map(([state, value]) => ({ labels: { state }, value })),
    zonedeck_operations_inconsistent: one(inconsistent),
    zonedeck_probes: probes.map(({ region, probes: value }) => ({ labels: { region }, value })),
    zonedeck_check_lag_seconds: probes.map(({ region, lagSeconds: value }) => ({ labels: { region }, value })),
    zonedeck_alerts_pending: one(outbox.pending),
    zonedeck_alert_lag_seconds: one(outbox.lagSeconds),
    zonedeck_alert_channels_failing: one(outbox.failing),
    zonedeck_accounts: accounts.map(({ health, accounts: value }) => ({ labels: { health }, value })),
    zonedeck_sync_lag_seconds: one(Math.max(0, ...accounts.map(({ lagSeconds }) => lagSeconds))),
    zonedeck_call_budget_used: ofBudgets(({ used }) => used),
    zonedeck_call_budget_limit: ofBudgets(({ limit }) => limit),
    zonedeck_call_budget_blocked: ofBudgets(({ blockedUntil }) => (blockedUntil === null ? 0 : 1)),
    zonedeck_backup_failing: backups === null ? [] : one(backups.failure === null && backups.proof?.result !== 'failed' ? 0 : 1),
    zonedeck_clock_skew_seconds: skewsOf(clocks),
    zonedeck_database_latency_seconds: one(latencySeconds),
    zonedeck_database_size_bytes: one(database.sizeBytes),
    zonedeck_database_connections: Object.entries(database.connections).map(([state, value]) => ({ labels: { state }, value })),
  }
}
