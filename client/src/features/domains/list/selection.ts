import type { BulkTarget } from '#client/features/operations/index.ts'
import type { ListedDomain, DomainFilter } from '#shared/features/domains/schema.ts'

/**
 * A selection. `some` holds ids, with the row if it is loaded (a range may include rows that are not); `filters` are those under which unloaded
 * rows were selected. `all` is everything that matches, without ids.
 */
export type Selection =
  | { kind: 'some'; ids: ReadonlyMap<string, ListedDomain | null>; filters: readonly DomainFilter[] }
  | { kind: 'all'; filter: DomainFilter; except: ReadonlySet<string> }

export const nothing: Selection = { kind: 'some', ids: new Map(), filters: [] }

export const isSelected = (selection: Selection, id: string): boolean =>
  selection.kind === 'all' ? !selection.except.has(id) : selection.ids.has(id)

export const selectedCount = (selection: Selection, matching: number): number =>
  selection.kind === 'all' ? Math.max(0, matching - selection.except.size) : selection.ids.size

/** Selects or deselects loaded rows. */
export function mark(selection: Selection, rows: readonly ListedDomain[], selected: boolean): Selection {
  if (selection.kind === 'all') {
    const except = new Set(selection.except)
    for (const { id } of rows) {
      if (selected) except.delete(id)
      else except.add(id)
    }
    return { ...selection, except }
  }
  const ids = new Map(selection.ids)
  for (const row of rows) {
    if (selected) ids.set(row.id, row)
    else ids.delete(row.id)
  }
  return { ...selection, ids, filters: ids.size === 0 ? [] : selection.filters }
}

/** The same for ids, as the server returns them for a range. `seen` finds the loaded rows among them. */
export function markIds(
  selection: Selection,
  found: readonly string[],
  selected: boolean,
  filter: DomainFilter,
  seen: (id: string) => ListedDomain | undefined,
): Selection {
  if (selection.kind === 'all') {
    const except = new Set(selection.except)
    for (const id of found) {
      if (selected) except.delete(id)
      else except.add(id)
    }
    return { ...selection, except }
  }
  const ids = new Map(selection.ids)
  for (const id of found) {
    if (selected) ids.set(id, seen(id) ?? ids.get(id) ?? null)
    else ids.delete(id)
  }
  return { kind: 'some', ids, filters: selected ? [...new Set([...selection.filters, filter])] : selection.filters }
}

export const selectAll = (filter: DomainFilter): Selection => ({ kind: 'all', filter, except: new Set() })

/** The target of an operation: the filter if all matches are selected, unless some are excluded; then the ids from `collect`. */
export async function targetOf(selection: Selection, collect: () => Promise<readonly Pick<ListedDomain, 'id'>[]>): Promise<BulkTarget> {
  if (selection.kind === 'all' && selection.except.size === 0) return { filter: selection.filter }
  return { ids: await idsOf(selection, collect) }
}

export const idsOf = async (selection: Selection, collect: () => Promise<readonly Pick<ListedDomain, 'id'>[]>): Promise<string[]> =>
  selection.kind === 'some' ? [...selection.ids.keys()] : (await collect()).map(({ id }) => id)
