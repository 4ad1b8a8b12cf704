import type { ItemState } from '#shared/features/operations/schema.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const word = /^[a-z_]{1,40}$/

const oneOf = <V extends string>(value: unknown, values: readonly V[]): V | undefined => values.find((each) => each === value)
const matching = (value: unknown, pattern: RegExp): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined
const part = (raw: unknown, key: string): unknown =>
  typeof raw === 'object' && raw !== null ? new Map(Object.entries(raw)).get(key) : undefined

export const listStates = ['active', 'ended'] as const

/**
 * What the list of operations keeps in its address. Reads anything at all; what is not understood is left out. Which kinds there are only the page knows:
 * addresses are read with the first load, which brings no schemas.
 */
export interface OperationsSearch {
  state?: (typeof listStates)[number]
  kind?: string
  /** The id of who started them. */
  by?: string
  failed?: true
}
export function parseOperationsSearch(raw: unknown): OperationsSearch {
  const state = oneOf(part(raw, 'state'), listStates)
  const kind = matching(part(raw, 'kind'), word)
  const by = matching(part(raw, 'by'), uuid)
  const failed = part(raw, 'failed') === true
  return { ...(state && { state }), ...(kind && { kind }), ...(by !== undefined && { by }), ...(failed && { failed }) }
}

export const tileStates = [
  'attention',
  'pending',
  'waiting',
  'done',
  'undone',
  'skipped',
  'failed',
  'cancelled',
] as const satisfies readonly (ItemState | 'attention')[]

/** What is shown of an operation's domains; of new ones their name servers, the log or a receipt too. */
const itemViews = ['servers', 'items', 'log', 'receipt'] as const
export type ItemsView = (typeof itemViews)[number]

/** What one operation's page keeps in its address. */
export interface ItemsSearch {
  state?: (typeof tileStates)[number]
  q?: string
  view?: ItemsView
}

export function parseItemsSearch(raw: unknown): ItemsSearch {
  const state = oneOf(part(raw, 'state'), tileStates)
  const q = part(raw, 'q')
  const view = oneOf(part(raw, 'view'), itemViews)
  // The router has read a number out of the address where there was one.
  const text = typeof q === 'string' ? q : typeof q === 'number' ? String(q) : ''
  return { ...(state && { state }), ...(text !== '' && { q: text.slice(0, 255) }), ...(view && { view }) }
}
