import { useCallback, useState } from 'react'
import type { ReconcileRow, ReconcileState } from '#shared/features/trackers/schema.ts'
import { api } from '#client/lib/trpc.ts'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import type { TableSelection } from '#client/ui/table/data-table.types.ts'
import { canRepair, ofBound, statesOf, type Repair } from './repairs.ts'
import type { ReconcileFilter, ReconcileTally } from './queries.ts'

/** Individual rows, or all matches with exceptions. */
interface Choice {
  readonly all: boolean
  readonly marked: ReadonlyMap<string, ReconcileRow>
  /** The filter that ‘all’ refers to. */
  readonly of: string
}

/** The input of a repair. */
export interface Repaired {
  readonly zoneIds: string[]
  readonly trackerDomainIds: string[]
  readonly names: string[]
}

export const repairedOf = (rows: readonly ReconcileRow[]): Repaired => ({
  zoneIds: [...new Set(rows.flatMap(({ zone }) => zone?.id ?? []))],
  trackerDomainIds: [...new Set(rows.flatMap(({ zone, trackerDomain }) => (zone === null ? (trackerDomain?.id ?? []) : [])))],
  names: [...new Set(rows.map(({ name }) => name))],
})

const nothing: Choice = { all: false, marked: new Map(), of: '' }

/** The selected rows; for thousands of matches only the filter is stored. */
export function useChoice(
  rows: readonly ReconcileRow[],
  filter: ReconcileFilter,
  counts: Partial<Record<ReconcileState, number>> | undefined,
  tally: ReconcileTally,
  total: number | undefined,
) {
  const of = JSON.stringify(filter)
  const [kept, setKept] = useState(nothing)
  // ‘All that match’ refers to one filter, so a change of the filter clears it.
  const choice = kept.of === of ? kept : nothing
  const count = choice.all ? Math.max(0, (total ?? 0) - choice.marked.size) : choice.marked.size
  const clear = useCallback((): void => setKept(nothing), [])
  useShortcuts({ Escape: clear }, count > 0)

  const mark = (some: readonly ReconcileRow[], selected: boolean): void =>
    setKept((before) => {
      const base = before.of === of ? before : { ...nothing, of }
      const marked = new Map(base.marked)
      for (const row of some) {
        if (selected === base.all) marked.delete(row.key)
        else marked.set(row.key, row)
      }
      return { ...base, marked }
    })
  const chooseAll = (): void => setKept({ all: true, marked: new Map(), of })
  const marked = [...choice.marked.values()]

  const fits = (repair: Repair, trackerId?: string): ReconcileRow[] =>
    marked.filter((row) => canRepair(repair, row) && (trackerId === undefined || row.tracker?.id === trackerId))
  /** ‘All’ means the listed rows: without a state, every row with a tracker domain. */
  const asked = (repair: Repair): readonly ReconcileState[] =>
    statesOf(repair).filter((state) => (filter.state === undefined ? state !== 'not_bound' : filter.state === state))

  /** How many of the selected rows it repairs; in one tracker if given. */
  const countOf = (repair: Repair, trackerId?: string): number => {
    const some = fits(repair, trackerId).length
    if (!choice.all) return some
    const states = asked(repair)
    const apart = trackerId === undefined && states.includes('not_bound') ? (counts?.not_bound ?? 0) : 0
    const matching = tally
      .filter((each) => each.states.some((state) => states.includes(state)) && canRepair(repair, each))
      .reduce((sum, each) => (trackerId === undefined || each.trackerId === trackerId ? sum + each.count : sum), apart)
    return Math.max(0, matching - some)
  }

  /** The selected rows that it repairs; in one tracker if given. */
  const collect = async (repair: Repair, trackerId?: string): Promise<Repaired> => {
    const except = repairedOf(fits(repair, trackerId))
    if (!choice.all) return except
    const bound = ofBound[repair]
    const found = await Promise.all(
      asked(repair).map((state) =>
        api.trackers.reconcileIds.query({
          ...filter,
          state,
          ...(bound !== undefined && { bound }),
          ...(trackerId !== undefined && { trackerIds: [trackerId] }),
        }),
      ),
    )
    const without = (part: keyof Repaired): string[] => {
      const left = new Set(except[part])
      return [...new Set(found.flatMap((each) => each[part]))].filter((each) => !left.has(each))
    }
    return { zoneIds: without('zoneIds'), trackerDomainIds: without('trackerDomainIds'), names: without('names') }
  }

  const selection: TableSelection<ReconcileRow> = {
    isSelected: ({ key }) => choice.marked.has(key) !== choice.all,
    all: count === 0 ? 'none' : count === total ? 'all' : 'some',
    onToggleAll: (selected) => (selected ? chooseAll() : clear()),
    onToggle: (row, selected) => mark([row], selected),
    onRange: (from, to, selected) => mark(rows.slice(from, to + 1), selected),
  }
  return { count, countOf, collect, clear, chooseAll, selection, mark }
}
export type ReconcileChoice = ReturnType<typeof useChoice>
