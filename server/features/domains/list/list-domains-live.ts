import type { z } from 'zod'
import type { Domain, DomainFilter, listDomainsLiveInput, listDomainsLiveOutput } from '#shared/features/domains/schema.ts'
import type { Ctx } from '#server/platform/context.ts'
import { getDomainScope } from './select-domains.ts'
import { listDomains } from './list-domains.ts'
import { sharedCounts } from './shared-counts.ts'
import { summarizeDomains } from './summarize-domains.ts'

const sort = { by: 'name', direction: 'asc' } as const
const pageLength = 1_000
/** A larger answer would use too much memory; the cursor gives the rest. */
const maxPerCall = 10_000

/** Clients that read all pages share the result for a second, because it costs more than a page. */
const freshnessOf = async (ctx: Ctx, filter: DomainFilter) => {
  const scope = await getDomainScope(ctx, filter)
  return sharedCounts(ctx, JSON.stringify(['freshness', scope, filter]), async () => (await summarizeDomains(ctx, filter)).freshness)
}

/** A page by name, long if no limit is given; always read in short pages. */
export async function listDomainsLive(
  ctx: Ctx,
  { cursor, limit = maxPerCall, ...filter }: z.output<typeof listDomainsLiveInput>,
): Promise<z.infer<typeof listDomainsLiveOutput>> {
  const data: Domain[] = []
  let next: string | null = cursor ?? null
  do {
    const place = next === null ? {} : { cursor: next }
    const page = await listDomains(ctx, { filter, sort, limit: Math.min(pageLength, limit - data.length), ...place }, { looked: false })
    data.push(...page.domains)
    next = page.nextCursor
  } while (next !== null && data.length < limit)
  const freshness = await freshnessOf(ctx, filter)
  return { data, freshness, ...(next === null ? {} : { nextCursor: next }) }
}
