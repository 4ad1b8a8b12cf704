import type { OperationPreview } from '#shared/features/operations/schema.ts'

interface Part {
  readonly lane: string
  readonly accountEmail: string
  readonly calls: number
  /** It does not begin before. */
  readonly waitSeconds?: number
}

/** A call takes so long where no limit holds it up. */
const secondsPerCall = 0.3
const callsAtOnce = 4

/**
 * How long the calls take: each lane on its own, at the provider's limit once its window is used up. The slowest lane is the
 * whole; null where nothing is called.
 * @param budget calls a lane may make in a window
 */
export function estimate(
  parts: readonly Part[],
  budget: { readonly limit: number; readonly windowMs: number },
): Pick<OperationPreview, 'calls' | 'seconds' | 'bottleneck'> {
  const lanes = new Map<string, { account: string; items: number; calls: number; waitSeconds: number }>()
  let calls = 0
  for (const part of parts) {
    const lane = lanes.get(part.lane) ?? { account: part.accountEmail, items: 0, calls: 0, waitSeconds: 0 }
    lane.items += 1
    lane.calls += part.calls
    lane.waitSeconds = Math.max(lane.waitSeconds, part.waitSeconds ?? 0)
    calls += part.calls
    lanes.set(part.lane, lane)
  }
  const secondsOf = (count: number) => {
    const unlimited = (count * secondsPerCall) / callsAtOnce
    const windows = Math.floor(Math.max(0, count - 1) / budget.limit)
    return Math.ceil(Math.max(unlimited, (windows * budget.windowMs) / 1000))
  }
  let bottleneck: OperationPreview['bottleneck'] = null
  for (const { account, items, calls: count, waitSeconds } of lanes.values()) {
    const seconds = secondsOf(count) + waitSeconds
    if (seconds > (bottleneck?.seconds ?? 0)) bottleneck = { account, items, seconds }
  }
  return { calls, seconds: bottleneck?.seconds ?? 0, bottleneck }
}
