import { z } from 'zod'
import {
  domainAnswer,
  domainDetailsAnswer,
  domainFilter,
  domainIdInput,
  domainIds,
  domainRangeInput,
  domainSettingsAnswer,
  domainSummary,
  domainSummaryInput,
  domainRowsOutput,
  domainsByIdInput,
  domainsByIdOutput,
  filterOptions,
  filterOptionsInput,
  listDomainsInput,
  listDomainsLiveInput,
  listDomainsLiveOutput,
  lookupInput,
  lookupOutput,
  searchDomainsInput,
  searchDomainsOutput,
} from '#shared/features/domains/schema.ts'
import { t, unchecked, userProcedure } from '#server/transports/trpc/trpc.ts'
import { getDomain, getDomainDetails, getDomainSettings } from './get-domain.ts'
import { listDomainsLive } from './list/list-domains-live.ts'
import { listDomainRows, listDomains, listDomainsById } from './list/list-domains.ts'
import { listFilterOptions } from './list/list-filter-options.ts'
import { lookupDomains } from './list/lookup-domains.ts'
import { searchDomains } from './list/search-domains.ts'
import { selectMatching, selectRange } from './list/select-domains.ts'
import { summarizeDomains } from './list/summarize-domains.ts'

const tags = ['Domains']

export const domainsRouter = t.router({
  list: userProcedure.input(listDomainsInput).query(({ ctx, input }) => listDomains(ctx, input)),
  // For the panel's list; `list` has the whole rows.
  rows: userProcedure
    .input(listDomainsInput)
    .output(unchecked(domainRowsOutput))
    .query(({ ctx, input }) => listDomainRows(ctx, input)),
  byId: userProcedure
    .input(domainsByIdInput)
    .output(unchecked(domainsByIdOutput))
    .query(({ ctx, input }) => listDomainsById(ctx, input.ids)),
  summary: userProcedure
    .input(domainSummaryInput)
    .output(domainSummary)
    .query(({ ctx, input }) => summarizeDomains(ctx, input.filter)),
  range: userProcedure
    .input(domainRangeInput)
    .output(domainIds)
    .query(({ ctx, input }) => selectRange(ctx, input)),
  matchingIds: userProcedure
    .input(z.object({ filter: domainFilter.default({}) }))
    .output(domainIds)
    .query(({ ctx, input }) => selectMatching(ctx, input.filter)),
  /** A mutation because of its size: thousands of names do not fit into a URL. */
  lookup: userProcedure
    .input(lookupInput)
    .output(lookupOutput)
    .mutation(({ ctx, input }) => lookupDomains(ctx, input.names)),
  search: userProcedure
    .input(searchDomainsInput)
    .output(searchDomainsOutput)
    .query(({ ctx, input }) => searchDomains(ctx, input.text)),
  filterOptions: userProcedure
    .input(filterOptionsInput)
    .output(filterOptions)
    .query(({ ctx, input }) => listFilterOptions(ctx, input.ownerId)),
  live: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/live',
        tags,
        summary: 'List domains that match filters',
        description: 'Sorted by name. Without `limit`, returns up to 10,000 domains; use `nextCursor` to get the rest.',
      },
    })
    .input(listDomainsLiveInput)
    .output(unchecked(listDomainsLiveOutput))
    .query(({ ctx, input }) => listDomainsLive(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/zones/{id}', tags, summary: 'Get a domain' } })
    .input(domainIdInput)
    .output(domainAnswer)
    .query(({ ctx, input }) => getDomain(ctx, input.id)),
  full: userProcedure
    .meta({ openapi: { method: 'GET', path: '/zones/{id}/full', tags, summary: 'Get a domain with all its details' } })
    .input(domainIdInput)
    .output(domainDetailsAnswer)
    .query(({ ctx, input }) => getDomainDetails(ctx, input.id)),
  settings: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/settings',
        tags,
        summary: 'Get the stored settings of a domain',
        description: 'Returns the settings as of the last sync.',
      },
    })
    .input(domainIdInput)
    .output(domainSettingsAnswer)
    .query(({ ctx, input }) => getDomainSettings(ctx, input.id)),
})
