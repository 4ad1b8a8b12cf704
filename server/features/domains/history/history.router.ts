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
    .meta({ openapi: { method: 'GET', path: '/zones/{id}/history', tags, summary: 'What changed in a domain, newest first' } })
    .input(listHistoryInput)
    .output(listHistoryOutput)
    .query(({ ctx, input }) => listHistory(ctx, input)),
  previewRevert: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/zones/{id}/history/revert/preview', tags, summary: 'What taking changes back would do now' },
      forReaders: 'always',
    })
    .input(revertInput)
    .output(revertPlan)
    .mutation(({ ctx, input }) => previewRevert(ctx, input)),
  revert: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/{id}/history/revert', tags, summary: 'Take changes back as previewed' } })
    .input(confirmRevertInput)
    .output(revertOutput)
    .mutation(({ ctx, input }) => revert(ctx, input)),
})
