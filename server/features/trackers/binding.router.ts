import { domainTracker } from '#shared/features/trackers/schema.ts'
import { bindZoneInput, unbindZoneInput, zoneTrackerInput } from '#shared/features/operations/requests.ts'
import { userProcedure } from '#server/transports/trpc/trpc.ts'
import { bindDomain } from './bind-domain.ts'
import { checkDomain } from './check-domain.ts'
import { getOfDomain } from './get-of-domain.ts'
import { unbindDomain } from './unbind-domain.ts'

const tags = ['Trackers']
const call = { priority: 'person' } as const

/** Binding procedures for one domain (R-TRK-03), part of the trackers router. Bulk changes are operations. */
export const bindingProcedures = {
  bind: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/{id}/tracker', tags, summary: 'Bind a domain to a tracker' } })
    .input(bindZoneInput)
    .output(domainTracker)
    .mutation(async ({ ctx, input }) => {
      await bindDomain(ctx, input, { call })
      return getOfDomain(ctx, input)
    }),
  unbind: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/zones/{id}/tracker', tags, summary: 'Unbind a domain from its tracker and archive it there' },
    })
    .input(unbindZoneInput)
    .output(domainTracker)
    .mutation(async ({ ctx, input }) => {
      await unbindDomain(ctx, input, { call })
      return getOfDomain(ctx, input)
    }),
  check: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/{id}/tracker/check', tags, summary: 'Check a domain again in its tracker' } })
    .input(zoneTrackerInput)
    .output(domainTracker)
    .mutation(async ({ ctx, input }) => {
      await checkDomain(ctx, input, call)
      return getOfDomain(ctx, input)
    }),
}
