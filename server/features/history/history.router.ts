import {
  confirmRevertInput,
  listHistoryInput,
  listHistoryOutput,
  revertInput,
  revertOutput,
  revertPlan,
} from '#shared/features/history/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'

const soon = (): never => {
  throw new AppError('internal')
}

export const historyRouter = t.router({
  list: userProcedure.input(listHistoryInput).output(listHistoryOutput).query(soon),
  previewRevert: userProcedure.input(revertInput).output(revertPlan).mutation(soon),
  revert: userProcedure.input(confirmRevertInput).output(revertOutput).mutation(soon),
})
