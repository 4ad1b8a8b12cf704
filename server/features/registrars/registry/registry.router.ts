import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { domainRegistry, domainRegistryInput } from '#shared/features/registrars/registry/schema.ts'
import { askRegistry, getRegistryOf } from './of-domain.ts'

const path = '/zones/{id}/registry'
const tags = ['Domains']

export const registryRouter = t.router({
  ofDomain: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'Get registry data of a domain',
        description: 'Returns the expiration date, its source, and the last registry response.',
      },
    })
    .input(domainRegistryInput)
    .output(domainRegistry)
    .query(({ ctx, input }) => getRegistryOf(ctx, input)),
  ask: userProcedure
    .meta({ openapi: { method: 'POST', path, tags, summary: 'Refresh the expiration date from the registry (RDAP)' } })
    .input(domainRegistryInput)
    .output(domainRegistry)
    .mutation(({ ctx, input }) => askRegistry(ctx, input)),
})
