import {
  confirmRevertInput,
  listHistoryInput,
  listHistoryOutput,
  revertInput,
  revertOutput,
  revertPlan,
} from '#shared/features/domains/history/schema.ts'
import { listHistory } from './list-history.ts'
import { previewRevert } from './plan-revert.ts'
import { revert } from './revert.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'

const tags = ['History']

export const historyRouter = t.router({
  list: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/zones/{id}/history', tags, summary: 'List changes of a domain', description: 'Newest first.' },
    })
    .input(listHistoryInput)
    .output(listHistoryOutput)
    .query(({ ctx, input }) => listHistory(ctx, input)),
  previewRevert: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/zones/{id}/history/revert/preview', tags, summary: 'Preview a revert of changes' },
      forReaders: 'always',
    })
    .input(revertInput)
    .output(revertPlan)
    .mutation(({ ctx, input }) => previewRevert(ctx, input)),
  revert: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/{id}/history/revert',
        tags,
        summary: 'Revert changes of a domain',
        description: 'Applies the revert that was returned by the preview.',
      },
    })
    .input(confirmRevertInput)
    .output(revertOutput)
    .mutation(({ ctx, input }) => revert(ctx, input)),
})
