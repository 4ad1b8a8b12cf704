import {
  changeIpInput,
  changeRecordsInput,
  changeRecordsOutput,
  createRecordInput,
  exportOutput,
  importInput,
  importOutput,
  importPlan,
  listRecordsInput,
  listRecordsOutput,
  previewImportInput,
  recordOutput,
  removeRecordInput,
  updateRecordInput,
} from '#shared/features/records/schema.ts'
import { z } from 'zod'
import { domainAnswer, domainIdInput } from '#shared/features/domains/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'

const soon = (): never => {
  throw new AppError('internal')
}

export const recordsRouter = t.router({
  /** From the mirror. */
  list: userProcedure.input(listRecordsInput).output(listRecordsOutput).query(soon),
  /** Read from the provider now. */
  refresh: userProcedure.input(listRecordsInput).output(listRecordsOutput).mutation(soon),
  create: userProcedure.input(createRecordInput).output(recordOutput).mutation(soon),
  update: userProcedure.input(updateRecordInput).output(recordOutput).mutation(soon),
  remove: userProcedure.input(removeRecordInput).output(z.void()).mutation(soon),
  change: userProcedure.input(changeRecordsInput).output(changeRecordsOutput).mutation(soon),
  changeIp: userProcedure.input(changeIpInput).output(domainAnswer).mutation(soon),
  refreshIp: userProcedure.input(domainIdInput).output(domainAnswer).mutation(soon),
  exportFile: userProcedure.input(listRecordsInput).output(exportOutput).query(soon),
  previewImport: userProcedure.input(previewImportInput).output(importPlan).mutation(soon),
  importFile: userProcedure.input(importInput).output(importOutput).mutation(soon),
})
