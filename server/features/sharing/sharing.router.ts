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
        summary: 'List who has access to a group, an account, a registrar or a tracker; its owner sees all, others themselves',
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
        summary: 'Give somebody access to a group, an account, a registrar or a tracker, or another level of it',
      },
      rest: { status: 201 },
    })
    .input(createShareInput)
    .output(shareAnswer)
    .mutation(({ ctx, input }) => createShare(ctx, input)),
  update: sessionProcedure
    .meta({ openapi: { method: 'PATCH', path: '/shares/{id}', tags, summary: 'Change the level of an access' } })
    .input(updateShareInput)
    .output(shareAnswer)
    .mutation(({ ctx, input }) => updateShare(ctx, input)),
  remove: sessionProcedure
    .meta({ openapi: { method: 'DELETE', path: '/shares/{id}', tags, summary: 'Take an access away, at once' }, rest: { status: 204 } })
    .input(shareIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeShare(ctx, input)),
})
