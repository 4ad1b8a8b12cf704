import { useCallback, useState } from 'react'
import type { ReconcileRow, ReconcileState } from '#shared/features/trackers/schema.ts'
import { api } from '#client/lib/trpc.ts'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import type { TableSelection } from '#client/ui/data-table.types.ts'
import type { ReconcileFilter } from './use-rows.ts'

/** Some rows, or all that match but some. */
interface Choice {
  readonly all: boolean
  readonly marked: ReadonlyMap<string, ReconcileRow>
  /** What ‘all’ speaks of. */
  readonly of: string
}

/** What a repair is made with. */
export interface Repaired {
  readonly zoneIds: string[]
  readonly trackerDomainIds: string[]
  readonly names: string[]
}

const nothing: Choice = { all: false, marked: new Map(), of: '' }

/** The rows that are selected for a repair; of thousands that match only the filter is kept. */
export function useChoice(
  rows: readonly ReconcileRow[],
  filter: ReconcileFilter,
  counts: Partial<Record<ReconcileState, number>> | undefined,
  total: number | undefined,
) {
  const of = JSON.stringify(filter)
  const [kept, setKept] = useState(nothing)
  // ‘All that match’ speaks of one filter; under another one it would mean something nobody chose.
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

  /** How many of the chosen differ in this way. */
  const countOf = (state: ReconcileState): number => {
    const some = marked.filter(({ states }) => states.includes(state)).length
    if (!choice.all) return some
    const matching = filter.state === undefined || filter.state === state ? (counts?.[state] ?? 0) : 0
    return Math.max(0, matching - some)
  }

  /** The chosen that differ in this way; in one tracker alone, where it is given. */
  const collect = async (state: ReconcileState, trackerId?: string): Promise<Repaired> => {
    const fits = marked.filter((row) => row.states.includes(state) && (trackerId === undefined || row.tracker?.id === trackerId))
    const ids = (some: readonly ReconcileRow[]): Repaired => ({
      zoneIds: [...new Set(some.flatMap(({ zone }) => zone?.id ?? []))],
      trackerDomainIds: [...new Set(some.flatMap(({ zone, trackerDomain }) => (zone === null ? (trackerDomain?.id ?? []) : [])))],
      names: [...new Set(some.map(({ name }) => name))],
    })
    if (!choice.all) return ids(fits)
    const { zoneIds, trackerDomainIds, names } = await api.trackers.reconcileIds.query({
      ...filter,
      state,
      ...(trackerId !== undefined && { trackerIds: [trackerId] }),
    })
    const except = ids(fits)
    const without = (all: readonly string[], some: readonly string[]): string[] => {
      const left = new Set(some)
      return all.filter((each) => !left.has(each))
    }
    return {
      zoneIds: without(zoneIds, except.zoneIds),
      trackerDomainIds: without(trackerDomainIds, except.trackerDomainIds),
      names: without(names, except.names),
    }
  }

  const selection: TableSelection<ReconcileRow> = {
    isSelected: ({ key }) => choice.marked.has(key) !== choice.all,
    all: count === 0 ? 'none' : count === total ? 'all' : 'some',
    onToggleAll: (selected) => (selected ? chooseAll() : clear()),
    onToggle: (row, selected) => mark([row], selected),
    onRange: (from, to, selected) => mark(rows.slice(from, to + 1), selected),
  }
  return { all: choice.all, marked, count, countOf, collect, clear, chooseAll, selection, mark }
}
export type ReconcileChoice = ReturnType<typeof useChoice>
