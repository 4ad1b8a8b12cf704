import { useEffect, useMemo } from 'react'
import { firstLayout, layoutOf, loadLayouts } from '#client/lib/table-layouts.ts'
import type { ColumnLayout, DataColumn } from './data-table.types.ts'

/** Which columns of a table are shown and how wide; `name` is the table's. */
export function useColumnLayout<Row>(name: string, columns: readonly DataColumn<Row>[]): ColumnLayout {
  useEffect(loadLayouts, [])
  const store = layoutOf(name)
  const layout = store.use()
  const { set } = store
  return useMemo(
    () => ({
      hidden: new Set(columns.filter(({ id, hiddenAtFirst = false }) => hiddenAtFirst !== layout.toggled.has(id)).map(({ id }) => id)),
      widths: layout.widths,
      comfortable: layout.comfortable,
      toggle: (id) =>
        set((before) => {
          const toggled = new Set(before.toggled)
          if (!toggled.delete(id)) toggled.add(id)
          return { ...before, toggled }
        }),
      resize: (id, width) =>
        set((before) => {
          const { [id]: _, ...others } = before.widths
          return { ...before, widths: width === null ? others : { ...others, [id]: width } }
        }),
      toggleComfortable: () => set((before) => ({ ...before, comfortable: !before.comfortable })),
      reset: () => set(firstLayout),
    }),
    [layout, set, columns],
  )
}
