import { z } from 'zod'

/** A move in a list: behind another item, or to the beginning. */
export interface Move {
  readonly id: string
  readonly after: string | null
}

/** The positions (indexes) of an increasing subsequence of the greatest weight. */
function heaviestIncreasing(values: readonly number[], weightOf: (index: number) => number): Set<number> {
  const best: { readonly weight: number; readonly previous: number | undefined }[] = []
  let end: number | undefined
  for (const [index, value] of values.entries()) {
    let previous: number | undefined
    for (const [at, each] of best.entries())
      if ((values[at] ?? 0) < value && (previous === undefined || each.weight > (best[previous]?.weight ?? 0))) previous = at
    const weight = weightOf(index) + (previous === undefined ? 0 : (best[previous]?.weight ?? 0))
    best.push({ weight, previous })
    if (end === undefined || weight > (best[end]?.weight ?? 0)) end = index
  }
  const kept = new Set<number>()
  for (let index = end; index !== undefined; index = best[index]?.previous) kept.add(index)
  return kept
}

/** The order of `present` in which the items of `wanted` have that order; the others keep their places. */
export function orderedAs(present: readonly string[], wanted: readonly string[]): string[] {
  const chosen = wanted.filter((id) => present.includes(id))
  const places = new Set(chosen)
  let next = 0
  return present.map((id) => (places.has(id) ? (chosen[next++] ?? id) : id))
}

/** The number of moves that an order of ids takes; 0 for anything else. */
export function countMoves(present: unknown, wanted: unknown): number {
  const [from, to] = [present, wanted].map((side) => z.array(z.string()).safeParse(side).data ?? [])
  return planMoves(from ?? [], orderedAs(from ?? [], to ?? [])).length
}

/**
 * The fewest moves, one after another, that bring `present` into the order `target` of the same items. Items of `fixed`, whose relative
 * order is the same in both, are not moved.
 */
export function planMoves(present: readonly string[], target: readonly string[], fixed: ReadonlySet<string> = new Set()): Move[] {
  if (present.every((id, index) => id === target[index])) return []
  const places = new Map(present.map((id, index) => [id, index]))
  // One fixed item outweighs all others together.
  const heavy = target.length + 1
  const kept = heaviestIncreasing(
    target.map((id) => places.get(id) ?? 0),
    (index) => (fixed.has(target[index] ?? '') ? heavy : 1),
  )
  return target.flatMap((id, index) => (kept.has(index) ? [] : [{ id, after: target[index - 1] ?? null }]))
}
