import { useEffect, useMemo } from 'react'
import { firstLayout, layoutOf, loadLayouts } from '#client/lib/table-layouts.ts'
import { useMedia } from '#client/ui/layout/use-media.ts'
import type { ColumnLayout, DataColumn } from './data-table.types.ts'
import { hiddenColumns } from './fit-columns.ts'

/** The visible columns of a table and their widths; `name` identifies the table. */
export function useColumnLayout<Row>(name: string, columns: readonly DataColumn<Row>[]): ColumnLayout {
  useEffect(loadLayouts, [])
  const store = layoutOf(name)
  const layout = store.use()
  const { set } = store
  const isNarrow = useMedia('(max-width: 1200px)')
  return useMemo(() => {
    const hidden = hiddenColumns(columns, layout.columns, isNarrow)
    return {
      hidden,
      widths: layout.widths,
      comfortable: layout.comfortable,
      toggle: (id) => set((before) => ({ ...before, columns: { ...before.columns, [id]: hidden.has(id) } })),
      resize: (id, width) =>
        set((before) => {
          const { [id]: _, ...others } = before.widths
          return { ...before, widths: width === null ? others : { ...others, [id]: width } }
        }),
      toggleComfortable: () => set((before) => ({ ...before, comfortable: !before.comfortable })),
      reset: () => set(firstLayout),
    }
  }, [layout, set, columns, isNarrow])
}
