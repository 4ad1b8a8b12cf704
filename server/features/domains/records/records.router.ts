import {
  changeIpInput,
  changeRecordsInput,
  changeRecordsOutput,
  createRecordInput,
  decideMissingInput,
  decideMissingOutput,
  exportFilesInput,
  exportFilesOutput,
  exportOutput,
  importInput,
  importOutput,
  importPlan,
  listRecordsInput,
  listRecordsOutput,
  previewImportInput,
  recordOutput,
  recordUsage,
  removeRecordInput,
  updateRecordInput,
} from '#shared/features/domains/records/schema.ts'
import { z } from 'zod'
import { changeIpOutput, domainAnswer, domainIdInput } from '#shared/features/domains/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { changeIp, refreshIp } from './change-ip.ts'
import { changeRecords, createRecord, removeRecord, updateRecord } from './change-records.ts'
import { decideMissing } from './decide-missing.ts'
import { getRecordUsage, listRecords, refreshRecords } from './list-records.ts'
import { exportFile, exportFiles } from './zone-file/export-file.ts'
import { importFile } from './zone-file/import-file.ts'
import { previewImport } from './zone-file/plan-import.ts'

const tags = ['DNS records']

export const recordsRouter = t.router({
  /** From the mirror. */
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/dns-records',
        tags,
        summary: 'List stored DNS records of a domain',
        description: 'Returns the records as of the last sync.',
      },
    })
    .input(listRecordsInput)
    .output(listRecordsOutput)
    .query(({ ctx, input }) => listRecords(ctx, input.id)),
  /** Read from the provider now. */
  refresh: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/{id}/dns-records/refresh', tags, summary: 'Refresh DNS records from Cloudflare' } })
    .input(listRecordsInput)
    .output(listRecordsOutput)
    .mutation(({ ctx, input }) => refreshRecords(ctx, input.id)),
  decideMissing: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/{id}/dns-records/missing',
        tags,
        summary: 'Keep or remove DNS records of a domain that are missing at Cloudflare',
        description: 'If Cloudflare no longer lists many records of the domain, they are kept until you decide with this call.',
      },
    })
    .input(decideMissingInput)
    .output(decideMissingOutput)
    .mutation(({ ctx, input }) => decideMissing(ctx, input)),
  usage: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/zones/{id}/dns-records/usage', tags, summary: 'Get DNS record usage and limit' },
    })
    .input(listRecordsInput)
    .output(recordUsage)
    .query(({ ctx, input }) => getRecordUsage(ctx, input.id)),
  create: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/{id}/dns-records', tags, summary: 'Create a DNS record' }, rest: { status: 201 } })
    .input(createRecordInput)
    .output(recordOutput)
    .mutation(({ ctx, input }) => createRecord(ctx, input)),
  update: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/zones/{id}/dns-records/{recordId}', tags, summary: 'Update a DNS record' } })
    .input(updateRecordInput)
    .output(recordOutput)
    .mutation(({ ctx, input }) => updateRecord(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/zones/{id}/dns-records/{recordId}', tags, summary: 'Delete a DNS record' },
      rest: { status: 204 },
    })
    .input(removeRecordInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRecord(ctx, input)),
  /** Many changes in as few calls as the provider allows. */
  change: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/{id}/dns-records/batch',
        tags,
        summary: 'Create, update, and delete DNS records in one batch',
      },
    })
    .input(changeRecordsInput)
    .output(changeRecordsOutput)
    .mutation(({ ctx, input }) => changeRecords(ctx, input)),
  changeIp: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/zones/{id}/ip-address',
        tags,
        summary: 'Change the IP address of a domain',
        description: 'Changes the content of A or AAAA records.',
      },
    })
    .input(changeIpInput)
    .output(changeIpOutput)
    .mutation(({ ctx, input }) => changeIp(ctx, input)),
  refreshIp: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/{id}/refresh-ip',
        tags,
        summary: 'Refresh DNS records and IP addresses of a domain',
      },
    })
    .input(domainIdInput)
    .output(domainAnswer)
    .mutation(({ ctx, input }) => refreshIp(ctx, input.id)),
  exportFile: userProcedure
    .meta({ openapi: { method: 'GET', path: '/zones/{id}/dns-records/export', tags, summary: 'Export DNS records as a zone file' } })
    .input(listRecordsInput)
    .output(exportOutput)
    .query(({ ctx, input }) => exportFile(ctx, input.id)),
  /** A mutation because of its size. */
  exportFiles: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/dns-records/export',
        tags,
        summary: 'Export zone files of several domains',
        description: 'Returns the records as of the last sync.',
      },
    })
    .input(exportFilesInput)
    .output(exportFilesOutput)
    .mutation(({ ctx, input }) => exportFiles(ctx, input.zoneIds)),
  previewImport: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/{id}/dns-records/import/preview',
        tags,
        summary: 'Preview the import of a zone file',
        description: 'Returns the change of each line and a token for the import call.',
      },
      forReaders: 'always',
    })
    .input(previewImportInput)
    .output(importPlan)
    .mutation(({ ctx, input }) => previewImport(ctx, input)),
  importFile: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/{id}/dns-records/import',
        tags,
        summary: 'Apply a previewed zone file import',
        description: 'Applies the changes of the preview that the token belongs to.',
      },
    })
    .input(importInput)
    .output(importOutput)
    .mutation(({ ctx, input }) => importFile(ctx, input)),
})
