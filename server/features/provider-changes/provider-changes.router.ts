import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { listProviderChangesInput, listProviderChangesOutput } from '#shared/features/provider-changes/schema.ts'
import { listProviderChanges } from './list-provider-changes.ts'

export const providerChangesRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/provider-changes',
        tags: ['History'],
        summary: 'List changes made at Cloudflare',
        description: 'From the audit logs of your accounts, newest first: those of other people and programs, and those of this panel.',
      },
    })
    .input(listProviderChangesInput)
    .output(listProviderChangesOutput)
    .query(({ ctx, input }) => listProviderChanges(ctx, input)),
})
