import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { domainRegistry, domainRegistryInput } from '#shared/features/registrars/registry/schema.ts'
import { askRegistry, getRegistryOf } from './of-domain.ts'

const path = '/zones/{id}/registry'
const tags = ['Domains']

export const registryRouter = t.router({
  ofDomain: userProcedure
    .meta({ openapi: { method: 'GET', path, tags, summary: 'Until when a domain is paid, by whose word, and what its registry said' } })
    .input(domainRegistryInput)
    .output(domainRegistry)
    .query(({ ctx, input }) => getRegistryOf(ctx, input)),
  ask: userProcedure
    .meta({ openapi: { method: 'POST', path, tags, summary: 'Ask the registry of a domain (RDAP) until when it is registered' } })
    .input(domainRegistryInput)
    .output(domainRegistry)
    .mutation(({ ctx, input }) => askRegistry(ctx, input)),
})
