import { auth } from './auth.ts'
import { createStore, type Store } from './store.ts'
import { api } from './trpc.ts'

interface TableLayout {
  /** Whether a column is shown, if the user has chosen. */
  readonly columns: Readonly<Record<string, boolean>>
  readonly widths: Readonly<Record<string, number>>
  readonly comfortable: boolean
}

export const firstLayout: TableLayout = { columns: {}, widths: {}, comfortable: false }
const saveAfterMs = 400

const stores = new Map<string, Store<TableLayout>>()
/** Changed locally: the server's value is older. */
const unsaved = new Map<string, ReturnType<typeof setTimeout>>()
let owner: string | null = null
let taking = false
let reading: Promise<void> = Promise.resolve()

/** Without the server the layout lasts as long as the tab; the next change is saved again. */
async function save(name: string, userId: string): Promise<void> {
  const layout = stores.get(name)?.get()
  if (layout === undefined || userId !== owner) return
  const { columns, widths, comfortable } = layout
  const rounded = Object.fromEntries(Object.entries(widths).map(([id, width]) => [id, Math.round(width)]))
  await api.me.saveLayout.mutate({
    table: name,
    layout: layout === firstLayout ? null : { columns: { ...columns }, widths: rounded, comfortable },
  })
}

function changed(name: string): void {
  if (taking || owner === null) return
  const [userId, before] = [owner, unsaved.get(name)]
  if (before !== undefined) clearTimeout(before)
  const timer = setTimeout(() => void save(name, userId).catch(() => undefined), saveAfterMs)
  unsaved.set(name, timer)
}

function take(tables: Readonly<Record<string, TableLayout>>): void {
  taking = true
  for (const [name, layout] of Object.entries(tables)) {
    if (!unsaved.has(name)) layoutOf(name).set(layout)
  }
  taking = false
}

/** Fetches the stored layouts of the signed-in user once; another user starts with their own. */
export function loadLayouts(): void {
  const userId = auth.get().user?.id ?? null
  if (userId === owner) return
  owner = userId
  taking = true
  for (const store of stores.values()) store.set(firstLayout)
  taking = false
  for (const timer of unsaved.values()) clearTimeout(timer)
  unsaved.clear()
  if (userId === null) return
  // Separate from the page's queries, which must not wait for it.
  reading = api.me.layouts.query(undefined, { context: { unbatched: true } }).then(
    ({ tables }) => {
      if (owner === userId) take(tables)
    },
    () => undefined,
  )
}
auth.subscribe(loadLayouts)

const firstDrawingWaitsMs = 500
/** Waits for the layouts, so that tables do not move when they arrive; a slow response delays the page only briefly. */
export function whenLayoutsRead(): Promise<void> {
  loadLayouts()
  return Promise.race([reading, new Promise<void>((resolve) => setTimeout(resolve, firstDrawingWaitsMs))])
}

/** The layout of a table, stored per user on the server. */
export function layoutOf(name: string): Store<TableLayout> {
  let store = stores.get(name)
  if (store === undefined) {
    store = createStore(firstLayout)
    stores.set(name, store)
    store.subscribe(() => changed(name))
  }
  return store
}
