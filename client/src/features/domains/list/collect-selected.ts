import type { Domain, DomainFilter, ListedDomain } from '#shared/features/domains/schema.ts'
import { api } from '#client/lib/trpc.ts'
import type { Selection } from './selection.ts'

const limit = 1_000

/** The names of all matches, in far fewer calls than the pages of the list. */
async function* pagesOf({ accountIds, groupIds, registrarIds, ...filter }: DomainFilter): AsyncGenerator<readonly Domain[]> {
  let cursor: string | undefined
  do {
    const page: { data: Domain[]; nextCursor?: string | undefined } = await api.domains.live.query({
      ...filter,
      ...(accountIds && { accountIds: accountIds.join(',') }),
      ...(groupIds && { groupIds: groupIds.join(',') }),
      ...(registrarIds && { registrarIds: registrarIds.join(',') }),
      limit,
      ...(cursor !== undefined && { cursor }),
    })
    yield page.data
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

async function collectAll(
  { filter, except }: Extract<Selection, { kind: 'all' }>,
  onProgress: (collected: number) => void,
): Promise<Domain[]> {
  const rows: Domain[] = []
  for await (const page of pagesOf(filter)) {
    for (const row of page) if (!except.has(row.id)) rows.push(row)
    onProgress(rows.length)
  }
  return rows
}

const byName = (one: ListedDomain, other: ListedDomain): number => (one.name < other.name ? -1 : 1)

/** The rows of a selection; rows that were never loaded are fetched, and deleted ones are left out. */
export async function collectSelected(selection: Selection, onProgress: (collected: number) => void): Promise<ListedDomain[]> {
  if (selection.kind === 'all') return collectAll(selection, onProgress)
  const rows = [...selection.ids.values()].filter((row) => row !== null)
  const missing = new Set([...selection.ids].filter(([, row]) => row === null).map(([id]) => id))
  for (const filter of selection.filters) {
    if (missing.size === 0) break
    for await (const page of pagesOf(filter)) {
      for (const row of page) if (missing.delete(row.id)) rows.push(row)
      onProgress(rows.length)
      if (missing.size === 0) break
    }
  }
  return rows.sort(byName)
}

/** The same with all fields, which the rows of the list do not have. */
export async function collectWhole(selection: Selection, onProgress: (collected: number) => void): Promise<Domain[]> {
  if (selection.kind === 'all') return collectAll(selection, onProgress)
  const ids = [...selection.ids.keys()]
  const rows: Domain[] = []
  for (let at = 0; at < ids.length; at += limit) {
    rows.push(...(await api.domains.byId.query({ ids: ids.slice(at, at + limit) })).domains)
    onProgress(rows.length)
  }
  return rows.sort(byName)
}
