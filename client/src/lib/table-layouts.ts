import { auth } from './auth.ts'
import { createStore, type Store } from './store.ts'
import { api } from './trpc.ts'

interface TableLayout {
  /** Whether a column is shown, where the person chose. */
  readonly columns: Readonly<Record<string, boolean>>
  readonly widths: Readonly<Record<string, number>>
  readonly comfortable: boolean
}

export const firstLayout: TableLayout = { columns: {}, widths: {}, comfortable: false }
const saveAfterMs = 400

const stores = new Map<string, Store<TableLayout>>()
/** Changed here: what the server has is older. */
const unsaved = new Map<string, ReturnType<typeof setTimeout>>()
let owner: string | null = null
let taking = false
let reading: Promise<void> = Promise.resolve()

/** Without the server the layout lives as long as the tab; the next change is saved again. */
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

/** Reads what the person who is signed in has kept, once; another person begins with theirs. */
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
  // Apart from what the page shows, which must not wait for it.
  reading = api.me.layouts.query(undefined, { context: { unbatched: true } }).then(
    ({ tables }) => {
      if (owner === userId) take(tables)
    },
    () => undefined,
  )
}
auth.subscribe(loadLayouts)

const firstDrawingWaitsMs = 500
/** Until the layouts are there, so that no table moves when they come after it; a slow answer holds the page up no longer than that. */
export function whenLayoutsRead(): Promise<void> {
  loadLayouts()
  return Promise.race([reading, new Promise<void>((resolve) => setTimeout(resolve, firstDrawingWaitsMs))])
}

/** How a table is laid out; kept for its person by the server. */
export function layoutOf(name: string): Store<TableLayout> {
  let store = stores.get(name)
  if (store === undefined) {
    store = createStore(firstLayout)
    stores.set(name, store)
    store.subscribe(() => changed(name))
  }
  return store
}
