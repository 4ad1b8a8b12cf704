import {
  confirmRevertInput,
  listHistoryInput,
  listHistoryOutput,
  revertInput,
  revertOutput,
  revertPlan,
} from '#shared/features/history/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { listHistory } from './list-history.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'

const soon = (): never => {
  throw new AppError('internal')
}

export const historyRouter = t.router({
  list: userProcedure
    .meta({ openapi: { method: 'GET', path: '/zones/{id}/history', tags: ['Domains'], summary: 'What changed in a domain, newest first' } })
    .input(listHistoryInput)
    .output(listHistoryOutput)
    .query(({ ctx, input }) => listHistory(ctx, input)),
  previewRevert: userProcedure.input(revertInput).output(revertPlan).mutation(soon),
  revert: userProcedure.input(confirmRevertInput).output(revertOutput).mutation(soon),
})
