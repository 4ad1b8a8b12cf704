import type { CallOptions } from './calls.ts'
import { itemsOfPage, streams } from './procedures.gen.ts'
import type { Calls } from './procedures.gen.ts'
import { waitForOperation } from './wait-for-operation.ts'
import type { Ended, WaitOptions } from './wait-for-operation.ts'
import { createWire } from './wire.ts'
import type { PanelOptions } from './http.ts'
import type { Wire } from './wire.ts'

export type Panel = Omit<Calls, 'operations'> & {
  readonly operations: Calls['operations'] & {
    /** Wait until an operation is done, canceled or paused and return its failures. @throws ZonedeckError */
    readonly wait: (id: string, options?: WaitOptions) => Promise<Ended>
  }
}

type Page = Readonly<Record<string, unknown>> & { readonly nextCursor?: unknown }

async function* itemsOf(wire: Wire, path: string, items: string, input: object, options: CallOptions | undefined) {
  for (let cursor: unknown; ;) {
    const page = (await wire.call(path, cursor === undefined ? input : { ...input, cursor }, options)) as Page
    yield* page[items] as readonly unknown[]
    if (page.nextCursor === null || page.nextCursor === undefined) return
    cursor = page.nextCursor
  }
}

function callOf(wire: Wire, path: string) {
  if (streams.includes(path)) return (input: unknown, options?: CallOptions) => wire.listen(path, input, options)
  const paged = /^(.+)\.all$/.exec(path)?.[1]
  if (paged === undefined) return (input: unknown, options?: CallOptions) => wire.call(path, input, options)
  // `domains.list.all` and its short form `domains.all`.
  const list = itemsOfPage[paged] === undefined ? `${paged}.list` : paged
  return (input: object = {}, options?: CallOptions) => itemsOf(wire, list, itemsOfPage[list] ?? '', input, options)
}

/** `panel.domains.list(…)`: collects the names of a path until it is called. */
const namespace = (wire: Wire, path: string, own: Readonly<Record<string, unknown>> = {}): unknown =>
  new Proxy(path === '' ? {} : callOf(wire, path), {
    get(target, name, receiver) {
      // JavaScript itself reads `then`, `toJSON` and `toString`; they are not procedures.
      if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined
      if (name in Object.prototype) return Reflect.get(target, name, receiver) as unknown
      const inner = path === '' ? name : `${path}.${name}`
      return own[inner] ?? namespace(wire, inner, own)
    },
  })

/** Creates a typed client of a panel. Makes no request until a function is called. */
export function createPanel(options: PanelOptions): Panel {
  const wire = createWire(options)
  const calls = namespace(wire, '') as Calls
  const wait: Panel['operations']['wait'] = (id, waiting) => waitForOperation(calls, id, waiting)
  return namespace(wire, '', { 'operations.wait': wait }) as Panel
}
