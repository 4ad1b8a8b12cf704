import { useCallback, useMemo, useState } from 'react'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import type { TableSelection } from './data-table.types.ts'

export interface Chosen<Row> {
  /** In the order of the rows. */
  chosen: readonly Row[]
  select: (ids: readonly string[], selected: boolean) => void
  clear: () => void
  /** For the table. */
  selection: TableSelection<Row>
}

const nothing: readonly never[] = []

/** What is selected of a list that is here whole; Escape lets go of it. Of what is not among the rows now nothing is done. */
export function useChosen<Row extends { readonly id: string }>(rows: readonly Row[]): Chosen<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = useMemo(() => (ids.size === 0 ? nothing : rows.filter(({ id }) => ids.has(id))), [rows, ids])
  const select = (some: readonly string[], selected: boolean): void =>
    setIds((before) => (selected ? before.union(new Set(some)) : before.difference(new Set(some))))
  const clear = useCallback((): void => setIds(new Set()), [])
  useShortcuts({ Escape: clear }, ids.size > 0)
  return {
    chosen,
    select,
    clear,
    selection: {
      isSelected: ({ id }) => ids.has(id),
      all: chosen.length === 0 ? 'none' : chosen.length === rows.length ? 'all' : 'some',
      onToggleAll: (selected) => setIds(new Set(selected ? rows.map(({ id }) => id) : [])),
      onToggle: ({ id }, selected) => select([id], selected),
      onRange: (from, to, selected) =>
        select(
          rows.slice(from, to + 1).map(({ id }) => id),
          selected,
        ),
    },
  }
}
