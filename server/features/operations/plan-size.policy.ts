import { AppError } from '#shared/errors/app-error.ts'

/** Characters of JSON in all plans of a draft. Several times their memory is in use while they are made and written. */
const mostCharacters = 200_000_000
/** Characters that are planned, or written, together. */
export const charactersPerBatch = 20_000_000
/** Domains planned together: more would hold much of the mirror in memory. */
const [firstDomains, leastDomains, mostDomains] = [200, 10, 2_000] as const

export interface PlanSize {
  /** How many domains are planned next, by how large the plans were until now. */
  next(): number
  /** @throws AppError operation_too_large */
  add(domains: number, plans: readonly unknown[]): void
}

/** Bounds what a preview holds in memory: a hundred long records for each of many thousand domains would be more than a process has. */
export function createPlanSize(most = mostCharacters): PlanSize {
  let domains = 0
  let characters = 0
  return {
    next() {
      if (domains === 0) return firstDomains
      const fitting = Math.floor((charactersPerBatch * domains) / Math.max(1, characters))
      return Math.min(mostDomains, Math.max(leastDomains, fitting))
    },
    add(count, plans) {
      domains += count
      for (const plan of plans) {
        characters += JSON.stringify(plan).length
        if (characters > most) throw new AppError('operation_too_large')
      }
    },
  }
}
