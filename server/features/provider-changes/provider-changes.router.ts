import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  listChangeActorsOutput,
  listProviderChangesInput,
  listProviderChangesOutput,
  reviewProviderChangesInput,
  reviewProviderChangesOutput,
} from '#shared/features/provider-changes/schema.ts'
import { listChangeActors, listProviderChanges } from './list-provider-changes.ts'
import { reviewProviderChanges } from './review-changes.ts'

export const providerChangesRouter = t.router({
  actors: userProcedure.output(listChangeActorsOutput).query(({ ctx }) => listChangeActors(ctx)),
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
  review: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/provider-changes/review',
        tags: ['History'],
        summary: 'Mark changes at Cloudflare as reviewed',
        description: 'The panel keeps what was changed. The incident of critical changes ends when all of them are reviewed.',
      },
    })
    .input(reviewProviderChangesInput)
    .output(reviewProviderChangesOutput)
    .mutation(({ ctx, input }) => reviewProviderChanges(ctx, input)),
})
