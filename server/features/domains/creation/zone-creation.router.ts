import { createZoneInput, createZoneOutput, standingsOutput } from '#shared/features/domains/creation/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { createZone } from './create-zone.ts'
import { listAccountCapacities } from './list-account-capacities.ts'

export const zoneCreationRouter = t.router({
  create: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones',
        tags: ['Domains'],
        summary: 'Add a domain to Cloudflare',
        description: 'Sets its DNS records and settings too.',
      },
      rest: { status: 201 },
    })
    .input(createZoneInput)
    .output(createZoneOutput)
    .mutation(({ ctx, input }) => createZone(ctx, input)),
  /** Capacities of the accounts for new domains. */
  standings: userProcedure.output(standingsOutput).query(({ ctx }) => listAccountCapacities(ctx)),
})
