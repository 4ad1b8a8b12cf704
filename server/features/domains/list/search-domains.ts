import type { z } from 'zod'
import type { searchDomainsOutput } from '#shared/features/domains/schema.ts'
import type { Ctx } from '#server/platform/context.ts'
import { searchTerm } from '../domain-name.ts'
import { getDomainScope } from './select-domains.ts'
import { listByPrefix, listPage } from './domains.repo.ts'
import { wholeRow } from './domain-row.repo.ts'
import { shownName } from './domain-view.ts'

const most = 5

/** For the palette: at most five names that contain the text, prefix matches first. */
export async function searchDomains(ctx: Ctx, text: string): Promise<z.infer<typeof searchDomainsOutput>> {
  const term = searchTerm(text)
  if (term === '') return { domains: [] }
  const scope = await getDomainScope(ctx)
  const beginning = await listByPrefix(ctx.db, scope, term, most)
  const rest =
    beginning.length < most
      ? await listPage(
          ctx.db,
          scope,
          { filter: { search: term }, sort: { by: 'name', direction: 'asc' }, after: null, limit: most * 2 },
          wholeRow,
        )
      : []
  const begins = (row: { readonly name: string; readonly search: string }) => row.name.startsWith(term) || shownName(row).startsWith(term)
  const found = new Map([...beginning, ...rest.filter(begins), ...rest].map((row) => [row.id, row]))
  return {
    domains: [...found.values()].slice(0, most).map((row) => ({ id: row.id, name: row.name, displayName: shownName(row) })),
  }
}
