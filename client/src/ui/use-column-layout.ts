import { useMemo } from 'react'
import { createStore, type Store } from '#client/lib/store.ts'
import type { ColumnLayout, DataColumn } from './data-table.types.ts'

interface Layout {
  hidden: ReadonlySet<string>
  widths: Readonly<Record<string, number>>
  comfortable: boolean
}

// Lives as long as the tab: which columns somebody likes is not among what may be persisted (R-APP-05).
const layouts = new Map<string, Store<Layout>>()

const firstLayout = <Row>(columns: readonly DataColumn<Row>[]): Layout => ({
  hidden: new Set(columns.filter((column) => column.hiddenAtFirst).map((column) => column.id)),
  widths: {},
  comfortable: false,
})

/** Which columns of a table are shown and how wide; `name` is the table's. */
export function useColumnLayout<Row>(name: string, columns: readonly DataColumn<Row>[]): ColumnLayout {
  let store = layouts.get(name)
  if (!store) {
    store = createStore<Layout>(firstLayout(columns))
    layouts.set(name, store)
  }
  const layout = store.use()
  const { set } = store
  return useMemo(
    () => ({
      ...layout,
      toggle: (id) =>
        set((before) => ({
          ...before,
          hidden: before.hidden.has(id) ? new Set([...before.hidden].filter((each) => each !== id)) : new Set([...before.hidden, id]),
        })),
      resize: (id, width) => set((before) => ({ ...before, widths: { ...before.widths, [id]: width } })),
      toggleComfortable: () => set((before) => ({ ...before, comfortable: !before.comfortable })),
      reset: () => set(firstLayout(columns)),
    }),
    [layout, set, columns],
  )
}
