import type { ItemState } from '#shared/features/operations/schema.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'

export const listStates = ['active', 'ended'] as const

/**
 * The URL parameters of the list of operations. Kinds are validated on the page, because URLs are parsed in the first load, which has no schemas.
 */
export interface OperationsSearch {
  state?: (typeof listStates)[number]
  kind?: string
  /** The id of the user who started them. */
  by?: string
  failed?: true
}
export function parseOperationsSearch(raw: unknown): OperationsSearch {
  const { given, text, id, oneOf } = searchParams(raw)
  const kind = text('kind')
  return compact<OperationsSearch>({
    state: oneOf('state', listStates),
    kind: kind !== undefined && /^[a-z_]{1,40}$/.test(kind) ? kind : undefined,
    by: id('by'),
    failed: given['failed'] === true ? true : undefined,
  })
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

/** The views of an operation's domains; for new ones also name servers, the log or a receipt. */
const itemViews = ['servers', 'items', 'log', 'receipt'] as const
export type ItemsView = (typeof itemViews)[number]

/** The URL parameters of an operation's page. */
export interface ItemsSearch {
  state?: (typeof tileStates)[number]
  q?: string
  view?: ItemsView
}

export function parseItemsSearch(raw: unknown): ItemsSearch {
  const { text, oneOf } = searchParams(raw)
  return compact<ItemsSearch>({ state: oneOf('state', tileStates), q: text('q'), view: oneOf('view', itemViews) })
}
