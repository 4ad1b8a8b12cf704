import type { AccountState, SystemState } from '#shared/features/settings/schema.ts'

export type Budget = SystemState['budgets'][number]

/** From 0 to 1; zero without a budget. */
export const shareOf = (budget: Budget | undefined): number =>
  budget === undefined || budget.limit === 0 ? 0 : Math.min(1, budget.used / budget.limit)

/** Blocked by the provider, nearly used up, or free. */
export const toneOf = (budget: Budget): 'bad' | 'warn' | 'good' =>
  budget.blockedUntil !== null ? 'bad' : shareOf(budget) >= 0.9 ? 'warn' : 'good'

export interface BudgetBar extends Budget {
  /** The accounts that share it, by email. */
  readonly accounts: readonly AccountState[]
}

/** Each budget with its accounts: blocked ones first, then the most used, then by email. */
export function listBars(accounts: readonly AccountState[], budgets: readonly Budget[]): readonly BudgetBar[] {
  const of = Map.groupBy(accounts, ({ budget }) => budget)
  const email = ({ accounts: [first] }: BudgetBar): string => first?.email ?? ''
  return budgets
    .map((budget, number) => ({ ...budget, accounts: of.get(number) ?? [] }))
    .filter((bar) => bar.accounts.length > 0)
    .toSorted(
      (a, b) =>
        Number(b.blockedUntil !== null) - Number(a.blockedUntil !== null) || shareOf(b) - shareOf(a) || email(a).localeCompare(email(b)),
    )
}
