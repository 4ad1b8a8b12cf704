import { AppError } from '#shared/errors/app-error.ts'

/** Characters of JSON in all plans of a draft. Creating and writing them needs several times this memory. */
const mostCharacters = 200_000_000
/** Characters planned in one batch. */
const charactersPerBatch = 20_000_000
/** Domains planned in one batch; more would load too much of the mirror into memory. */
const [firstDomains, leastDomains, mostDomains] = [200, 10, 2_000] as const

interface PlanSize {
  /** How many domains to plan next, based on the size of the plans so far. */
  next(): number
  /** @throws AppError operation_too_large */
  add(domains: number, plans: readonly unknown[]): void
}

/** Limits the memory of a preview: a hundred long records for each of thousands of domains would exceed that of the process. */
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
