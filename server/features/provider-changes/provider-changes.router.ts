import { z } from 'zod'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  allowChangesInput,
  allowChangesOutput,
  countAllowedChangesInput,
  countAllowedChangesOutput,
  countUnreviewedChangesOutput,
  disallowChangesInput,
  listAllowedChangesOutput,
  listChangeEntriesInput,
  listChangeEntriesOutput,
  listChangeActorsOutput,
  listProviderChangesInput,
  listProviderChangesOutput,
  reviewProviderChangesInput,
  reviewProviderChangesOutput,
} from '#shared/features/provider-changes/schema.ts'
import { allowChanges, countAllowedChanges, disallowChanges, listAllowedChanges } from './allow-changes.ts'
import { listChangeEntries } from './list-entries.ts'
import { countUnreviewedChanges, listChangeActors, listProviderChanges } from './list-provider-changes.ts'
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
  entries: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/provider-changes/{id}/entries',
        tags: ['History'],
        summary: 'List what a change at Cloudflare changed',
        description:
          'The entries of the domain’s history that the panel added when it read the domain after the change, or why there are none or they cannot be reverted.',
      },
    })
    .input(listChangeEntriesInput)
    .output(listChangeEntriesOutput)
    .query(({ ctx, input }) => listChangeEntries(ctx, input)),
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
  unreviewed: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/provider-changes/unreviewed',
        tags: ['History'],
        summary: 'Count changes at Cloudflare that nobody has reviewed',
        description: 'Only changes by others, and at most 1,000.',
      },
    })
    .output(countUnreviewedChangesOutput)
    .query(({ ctx }) => countUnreviewedChanges(ctx)),
  listAllowed: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/allowed-changes', tags: ['History'], summary: 'List rules that allow changes at Cloudflare' },
    })
    .output(listAllowedChangesOutput)
    .query(({ ctx }) => listAllowedChanges(ctx)),
  countAllowed: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/allowed-changes/matches',
        tags: ['History'],
        summary: 'Count the changes that a rule would allow',
        description: 'Only changes that nobody has reviewed, and at most 1,000.',
      },
    })
    .input(countAllowedChangesInput)
    .output(countAllowedChangesOutput)
    .query(({ ctx, input }) => countAllowedChanges(ctx, input)),
  allow: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/allowed-changes',
        tags: ['History'],
        summary: 'Create a rule that allows changes at Cloudflare',
        description:
          'Changes that match need no review and are not reported, even if they are critical. Those that the panel has read already are marked as reviewed.',
      },
      rest: { status: 201 },
    })
    .input(allowChangesInput)
    .output(allowChangesOutput)
    .mutation(({ ctx, input }) => allowChanges(ctx, input)),
  disallow: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/allowed-changes/{id}',
        tags: ['History'],
        summary: 'Delete a rule that allows changes at Cloudflare',
        description: 'Changes that it has allowed stay reviewed.',
      },
      rest: { status: 204 },
    })
    .input(disallowChangesInput)
    .output(z.void())
    .mutation(({ ctx, input }) => disallowChanges(ctx, input)),
})
