import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedDomain } from '#shared/features/domains/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { api } from '#client/lib/trpc.ts'
import type { TableSelection } from '#client/ui/table/data-table.types.ts'
import { auth } from '#client/lib/auth.ts'
import { createStore } from '#client/lib/store.ts'
import { isSelected, mark, markIds, nothing, selectAll, selectedCount } from './selection.ts'
import type { Selection } from './selection.ts'
import { loadedDomains } from './queries.ts'
import type { DomainRows } from './use-domain-rows.ts'

/** Lives as long as the tab, so that opening a domain does not lose it; never persisted (R-APP-05). */
export const domainSelection = createStore<Selection>(nothing)
auth.subscribe(() => {
  if (!auth.get().isAuthenticated) domainSelection.set(nothing)
})

export interface DomainSelecting {
  selection: Selection
  count: number
  /** The loaded rows of the selection; a selection by filter or range may have others. */
  known: readonly ListedDomain[]
  table: TableSelection<ListedDomain>
  selectAllMatching: () => void
  clear: () => void
}

/** The selection in the visible list (R-DOM-04). */
export function useDomainSelection(rows: DomainRows): DomainSelecting {
  const { t } = useTranslation('domains')
  const kept = domainSelection.use()
  const { view, rowAt, count: matching } = rows
  // ‘All that match’ refers to one filter, so a change of the filter clears it.
  const stale = kept.kind === 'all' && JSON.stringify(kept.filter) !== JSON.stringify(view.filter)
  const selection = stale ? nothing : kept
  const count = selectedCount(selection, matching)
  const known = useMemo(() => loadedOf(selection, matching, rowAt), [selection, matching, rowAt])

  return useMemo(() => {
    const update = (change: (before: Selection) => Selection): void =>
      domainSelection.set((before) => change(stale && before === kept ? nothing : before))
    const clear = (): void => domainSelection.set(nothing)
    const selectAllMatching = (): void => domainSelection.set(selectAll(view.filter))
    return {
      selection,
      count,
      known,
      clear,
      selectAllMatching,
      table: {
        isSelected: ({ id }) => isSelected(selection, id),
        all: count === 0 ? 'none' : selection.kind === 'all' && selection.except.size === 0 ? 'all' : count >= matching ? 'all' : 'some',
        onToggleAll: (selected) => (selected ? selectAllMatching() : clear()),
        onToggle: (row, selected) => update((before) => mark(before, [row], selected)),
        onRange: (from, to, selected) => {
          const loaded = Array.from({ length: to - from + 1 }, (_, offset) => rowAt(from + offset))
          const known = loaded.filter((row) => row !== undefined)
          update((before) => mark(before, known, selected))
          if (known.length === loaded.length) return
          api.domains.range.query({ ...view, from, to }).then(
            ({ ids }) => {
              const seen = loadedDomains()
              update((before) => markIds(before, ids, selected, view.filter, (id) => seen.get(id)))
            },
            (error: unknown) => toast.failure(error, t('selection.range_failed')),
          )
        },
      },
    }
  }, [selection, count, known, stale, kept, view, rowAt, matching, t])
}

/** Above this number, rows are not scanned for each selection. */
const lookedThroughAtMost = 1_000

function loadedOf(selection: Selection, matching: number, rowAt: DomainRows['rowAt']): readonly ListedDomain[] {
  if (selection.kind === 'some') return [...selection.ids.values()].filter((row) => row !== null)
  const rows = Array.from({ length: Math.min(matching, lookedThroughAtMost) }, (_, index) => rowAt(index))
  return rows.filter((row) => row !== undefined).filter(({ id }) => !selection.except.has(id))
}
