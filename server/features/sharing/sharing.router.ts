import { z } from 'zod'
import { sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { createShareInput, listSharesInput, share, shareAnswer, shareIdInput, updateShareInput } from '#shared/features/sharing/schema.ts'
import { createShare } from './create-share.ts'
import { listShares } from './list-shares.ts'
import { removeShare, updateShare } from './update-share.ts'

const tags = ['Sharing']

export const sharingRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/shares',
        tags,
        summary: 'List shares of a resource',
        description:
          'The resource is a group, an account, a registrar, or a tracker. Its owner sees all shares, other users only their own.',
      },
    })
    .input(listSharesInput)
    .output(z.object({ shares: z.array(share) }))
    .query(({ ctx, input }) => listShares(ctx, input)),
  create: sessionProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/shares',
        tags,
        summary: 'Share a resource with a user',
        description:
          'The resource is a group, an account, a registrar, or a tracker. If the user already has access, their level is changed.',
      },
      rest: { status: 201 },
    })
    .input(createShareInput)
    .output(shareAnswer)
    .mutation(({ ctx, input }) => createShare(ctx, input)),
  update: sessionProcedure
    .meta({ openapi: { method: 'PATCH', path: '/shares/{id}', tags, summary: 'Change the access level of a share' } })
    .input(updateShareInput)
    .output(shareAnswer)
    .mutation(({ ctx, input }) => updateShare(ctx, input)),
  remove: sessionProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/shares/{id}', tags, summary: 'Revoke a share', description: 'Access ends immediately.' },
      rest: { status: 204 },
    })
    .input(shareIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeShare(ctx, input)),
})
