import { useMemo } from 'react'
import { createStore, type Store } from '#client/lib/store.ts'
import type { ColumnLayout, DataColumn } from './data-table.types.ts'

interface Layout {
  /** Columns that are shown or hidden otherwise than at first. */
  toggled: ReadonlySet<string>
  widths: Readonly<Record<string, number>>
  comfortable: boolean
}

// Lives as long as the tab: which columns somebody likes is not among what may be persisted (R-APP-05).
const layouts = new Map<string, Store<Layout>>()

const firstLayout: Layout = { toggled: new Set(), widths: {}, comfortable: false }

/** Which columns of a table are shown and how wide; `name` is the table's. */
export function useColumnLayout<Row>(name: string, columns: readonly DataColumn<Row>[]): ColumnLayout {
  let store = layouts.get(name)
  if (!store) {
    store = createStore(firstLayout)
    layouts.set(name, store)
  }
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
      resize: (id, width) => set((before) => ({ ...before, widths: { ...before.widths, [id]: width } })),
      toggleComfortable: () => set((before) => ({ ...before, comfortable: !before.comfortable })),
      reset: () => set(firstLayout),
    }),
    [layout, set, columns],
  )
}
