import { z } from 'zod'

/** A move in a list: behind another item, or to the beginning. */
export interface Move {
  readonly id: string
  readonly after: string | null
}

/** The positions (indexes) of a longest increasing subsequence. */
function longestIncreasing(values: readonly number[]): Set<number> {
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, value] of values.entries()) {
    let at = ends.findIndex((end) => (values[end] ?? 0) >= value)
    if (at < 0) at = ends.length
    previous[index] = ends[at - 1]
    ends[at] = index
  }
  const kept = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) kept.add(index)
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

/** The fewest moves, one after another, that bring `present` into the order `target` of the same items. */
export function planMoves(present: readonly string[], target: readonly string[]): Move[] {
  const places = new Map(present.map((id, index) => [id, index]))
  const kept = longestIncreasing(target.map((id) => places.get(id) ?? 0))
  return target.flatMap((id, index) => (kept.has(index) ? [] : [{ id, after: target[index - 1] ?? null }]))
}
