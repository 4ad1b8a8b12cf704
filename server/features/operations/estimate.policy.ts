import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { PlannedItem } from './planned.ts'

interface Budget {
  readonly limit: number
  readonly windowMs: number
}

interface Part {
  readonly lane: string
  readonly accountEmail: string
  readonly calls: number
  /** It does not begin before. */
  readonly waitSeconds?: number
  /** Of its lane, where that is not Cloudflare's. */
  readonly budget?: Budget
}

/** What an item calls at its account, and at a registrar. */
export function partsOf(of: Pick<Part, 'lane' | 'accountEmail' | 'waitSeconds'>, { calls, registrar }: PlannedItem): Part[] {
  if (registrar === undefined) return [{ ...of, calls }]
  const { limit } = registrarCatalog[registrar.provider]
  const there = { lane: `registrar ${registrar.id}`, accountEmail: registrar.name, calls: registrar.calls }
  return [
    { ...of, calls },
    { ...there, budget: { limit: limit.calls, windowMs: limit.perMs } },
  ]
}

/** A call takes so long where no limit holds it up. */
const secondsPerCall = 0.3
const callsAtOnce = 4

/**
 * How long the calls take: each lane on its own, at the provider's limit once its window is used up. The slowest lane is the
 * whole; null where nothing is called.
 * @param budget calls a lane may make in a window
 */
export function estimate(parts: readonly Part[], budget: Budget): Pick<OperationPreview, 'calls' | 'seconds' | 'bottleneck'> {
  const lanes = new Map<string, { account: string; items: number; calls: number; waitSeconds: number; budget: Budget }>()
  let calls = 0
  for (const part of parts) {
    const lane = lanes.get(part.lane) ?? { account: part.accountEmail, items: 0, calls: 0, waitSeconds: 0, budget: part.budget ?? budget }
    lane.items += 1
    lane.calls += part.calls
    lane.waitSeconds = Math.max(lane.waitSeconds, part.waitSeconds ?? 0)
    calls += part.calls
    lanes.set(part.lane, lane)
  }
  const secondsOf = (count: number, { limit, windowMs }: Budget) => {
    const unlimited = (count * secondsPerCall) / callsAtOnce
    const windows = Math.floor(Math.max(0, count - 1) / limit)
    return Math.ceil(Math.max(unlimited, (windows * windowMs) / 1000))
  }
  let bottleneck: OperationPreview['bottleneck'] = null
  for (const { account, items, calls: count, waitSeconds, budget: own } of lanes.values()) {
    const seconds = secondsOf(count, own) + waitSeconds
    if (seconds > (bottleneck?.seconds ?? 0)) bottleneck = { account, items, seconds }
  }
  return { calls, seconds: bottleneck?.seconds ?? 0, bottleneck }
}
