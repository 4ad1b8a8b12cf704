import type { z } from 'zod'
import type { Domain, listDomainsLiveInput, listDomainsLiveOutput } from '#shared/features/domains/schema.ts'
import type { Ctx } from '#server/platform/context.ts'
import { listDomains } from './list-domains.ts'
import { summarizeDomains } from './summarize-domains.ts'

const sort = { by: 'name', direction: 'asc' } as const
const pageLength = 1_000

/** A page by name, or without a limit everything that matches; read in pages either way. */
export async function listDomainsLive(
  ctx: Ctx,
  { cursor, limit, ...filter }: z.output<typeof listDomainsLiveInput>,
): Promise<z.infer<typeof listDomainsLiveOutput>> {
  const data: Domain[] = []
  let next: string | null = cursor ?? null
  do {
    const place = next === null ? {} : { cursor: next }
    const page = await listDomains(ctx, { filter, sort, limit: limit ?? pageLength, ...place }, { looked: false })
    data.push(...page.domains)
    next = page.nextCursor
  } while (next !== null && limit === undefined)
  const { freshness } = await summarizeDomains(ctx, filter)
  return { data, freshness, ...(next === null ? {} : { nextCursor: next }) }
}
