import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { trackerPace } from '#server/ports/ad-tracker.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import type { Called, PlannedItem } from './planned.ts'

type Budget = Called['budget']

interface Part {
  readonly lane: string
  readonly accountEmail: string
  readonly calls: number
  /** The earliest start. */
  readonly waitSeconds?: number
  /** Of its concurrency key, if that is not Cloudflare's. */
  readonly budget?: Budget
}

/** Registrar calls count against the API limit of the credential. */
export function atRegistrar({
  id,
  name,
  provider,
  calls,
}: {
  readonly id: string
  readonly name: string
  readonly provider: RegistrarProvider
  readonly calls: number
}): Called {
  const { limit } = registrarCatalog[provider]
  return { lane: `registrar ${id}`, name, calls, budget: { limit: limit.calls, windowMs: limit.perMs } }
}

/** Tracker calls count against the limit that the panel sets. */
export const atTracker = ({ id, name, calls }: { readonly id: string; readonly name: string; readonly calls: number }): Called => ({
  lane: `tracker ${id}`,
  name,
  calls,
  budget: trackerPace,
})

/** The calls of an item at its account and at other providers. */
export function partsOf(of: Pick<Part, 'lane' | 'accountEmail' | 'waitSeconds'>, { calls, called = [] }: PlannedItem): Part[] {
  const others = called.map(({ name: accountEmail, ...part }) => ({ ...part, accountEmail }))
  return calls === 0 && others.length > 0 ? others : [{ ...of, calls }, ...others]
}

/** Duration of a call when no limit delays it. */
const secondsPerCall = 0.3
const concurrentCalls = 4

/**
 * Estimates how long the calls take: each concurrency key runs independently and is limited by the provider once its window is used up. The
 * slowest key determines the total; null when there are no calls.
 * @param budget calls a concurrency key may make in a window
 */
export function estimate(parts: readonly Part[], budget: Budget): Pick<OperationPreview, 'calls' | 'seconds' | 'bottleneck'> {
  const totals = new Map<string, { account: string; items: number; calls: number; waitSeconds: number; budget: Budget }>()
  let calls = 0
  for (const part of parts) {
    const total = totals.get(part.lane) ?? { account: part.accountEmail, items: 0, calls: 0, waitSeconds: 0, budget: part.budget ?? budget }
    total.items += 1
    total.calls += part.calls
    total.waitSeconds = Math.max(total.waitSeconds, part.waitSeconds ?? 0)
    calls += part.calls
    totals.set(part.lane, total)
  }
  const secondsOf = (count: number, { limit, windowMs }: Budget) => {
    const unlimited = (count * secondsPerCall) / concurrentCalls
    const windows = Math.floor(Math.max(0, count - 1) / limit)
    return Math.ceil(Math.max(unlimited, (windows * windowMs) / 1000))
  }
  let bottleneck: OperationPreview['bottleneck'] = null
  for (const { account, items, calls: count, waitSeconds, budget: own } of totals.values()) {
    const seconds = secondsOf(count, own) + waitSeconds
    if (seconds > (bottleneck?.seconds ?? 0)) bottleneck = { account, items, seconds }
  }
  return { calls, seconds: bottleneck?.seconds ?? 0, bottleneck }
}
