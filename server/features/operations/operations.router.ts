import { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import {
  bulkAnswer,
  bulkCreateInput,
  bulkCreateRequest,
  bulkDeleteInput,
  bulkDnsInput,
  bulkIpInput,
  bulkBindTrackerInput,
  bulkSettingsInput,
  bulkUnbindTrackerInput,
  itemNamesInput,
  itemNamesOutput,
  listItemsInput,
  listItemsOutput,
  listOperationsInput,
  listOperationsOutput,
  operationAnswer,
  operationIdInput,
  operationPreview,
  changePreview,
  previewAutoRenewInput,
  previewChangeInput,
  previewOperationInput,
  previewTrackerArchiveInput,
  previewUndoInput,
  refreshAllInput,
  rescheduleOperationInput,
  excludeFromDraftInput,
  excludeFromDraftOutput,
  startOperationInput,
} from '#shared/features/operations/schema.ts'
import {
  previewRenewalInput,
  purchaseAnswer,
  purchaseInput,
  purchasePreview,
  purchaseRequest,
  renewalPreview,
} from '#shared/features/registrars/buying/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  cancelOperation,
  discardDraft,
  pauseOperation,
  rescheduleOperation,
  resumeOperation,
  retryFailed,
  startOperation,
} from './control-operation.ts'
import { listItems, listNames, listOperations } from './list-operations.ts'
import { createMany, previewCreate } from './kinds/preview-create.ts'
import { previewChange } from './preview-change.ts'
import { previewPurchase, purchase } from './kinds/preview-purchase.ts'
import { excludeFromDraft, previewOperation, previewUndo } from './preview-operation.ts'
import { previewAutoRenew, previewRenewal } from './kinds/preview-registrar-names.ts'
import { previewTrackerArchive } from './kinds/preview-tracker-archive.ts'
import { runNow } from './run-now.ts'

const tags = ['Operations']
/** Work that goes on behind the answer, or a plan of it. */
const accepted = (path: `/${string}`, summary: string) =>
  ({ openapi: { method: 'POST', path, tags, summary }, rest: { status: 202 }, forReaders: 'preview' }) as const

export const operationsRouter = t.router({
  /** Nothing is sent; the answer's operation is a draft. */
  preview: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/operations', tags, summary: 'What an operation would do, kept as a draft; nothing is sent' },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewOperationInput)
    .output(operationPreview)
    .mutation(({ ctx, input }) => previewOperation(ctx, input)),
  previewUndo: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/operations/{id}/undo',
        tags,
        summary: 'What taking it back would do, kept as a draft; nothing is sent',
      },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewUndoInput)
    .output(operationPreview)
    .mutation(({ ctx, input }) => previewUndo(ctx, input)),
  /** What one change of one domain would do: REST's `?preview=true` asks it. Nothing is sent, and nothing is kept. */
  previewChange: userProcedure
    .meta({ forReaders: 'always' })
    .input(previewChangeInput)
    .output(changePreview)
    .mutation(({ ctx, input }) => previewChange(ctx, input)),
  /** As `preview`, for domains that are not there yet. */
  previewCreate: userProcedure
    .meta({ forReaders: 'always' })
    .input(bulkCreateInput)
    .output(operationPreview)
    .mutation(({ ctx, input }) => previewCreate(ctx, input)),
  /** As `previewCreate`, for domains that are bought first. */
  previewPurchase: userProcedure
    .input(purchaseInput)
    .output(purchasePreview)
    .mutation(({ ctx, input }) => previewPurchase(ctx, input)),
  /** As `preview`, for domains in trackers that are no zones of the panel. */
  previewTrackerArchive: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/tracker-domains/archive',
        tags: ['Trackers'],
        summary: 'What archiving domains in their trackers would do, kept as a draft; nothing is sent',
      },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewTrackerArchiveInput)
    .output(operationPreview)
    .mutation(({ ctx, input }) => previewTrackerArchive(ctx, input)),
  /** As `preview`, for names at registrars. */
  previewAutoRenew: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/registrar-names/auto-renew',
        tags,
        summary: 'What switching automatic renewal would change, kept as a draft; nothing is sent',
      },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewAutoRenewInput)
    .output(operationPreview)
    .mutation(({ ctx, input }) => previewAutoRenew(ctx, input)),
  previewRenewal: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/registrar-names/renewals',
        tags,
        summary: 'What renewing names would cost, kept as a draft; nothing is paid',
      },
      rest: { status: 201 },
    })
    .input(previewRenewalInput)
    .output(renewalPreview)
    .mutation(({ ctx, input }) => previewRenewal(ctx, input)),
  start: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/operations/{id}/start', tags, summary: 'Starts a draft, now or later' },
      rest: { status: 202 },
    })
    .input(startOperationInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => startOperation(ctx, input)),
  discard: userProcedure
    .meta({ openapi: { method: 'DELETE', path: '/operations/{id}', tags, summary: 'Forgets a draft' }, rest: { status: 204 } })
    .input(operationIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => discardDraft(ctx, input.id)),
  list: userProcedure
    .meta({ openapi: { method: 'GET', path: '/operations', tags, summary: 'Running and past operations, newest first' } })
    .input(listOperationsInput)
    .output(listOperationsOutput)
    .query(({ ctx, input }) => listOperations(ctx, input)),
  items: userProcedure
    .meta({ openapi: { method: 'GET', path: '/operations/{id}', tags, summary: 'An operation with its items' } })
    .input(listItemsInput)
    .output(listItemsOutput)
    .query(({ ctx, input }) => listItems(ctx, input)),
  itemNames: userProcedure
    .input(itemNamesInput)
    .output(itemNamesOutput)
    .query(({ ctx, input }) => listNames(ctx, input)),
  bulkCreate: userProcedure
    .meta(accepted('/zones/bulk-create', 'Adds many domains over accounts in priority order'))
    .input(bulkCreateRequest)
    .output(bulkAnswer)
    .mutation(({ ctx, input }) => createMany(ctx, input)),
  purchase: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/registration', tags: ['Registration'], summary: 'Buys names and makes working domains of them' },
      rest: { status: 202 },
      buys: true,
    })
    .input(purchaseRequest)
    .output(purchaseAnswer)
    .mutation(({ ctx, input }) => purchase(ctx, input)),
  bulkSettings: userProcedure
    .meta(accepted('/zones/bulk-update-settings', 'Changes settings of many domains'))
    .input(bulkSettingsInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, settings } }) => runNow(ctx, { kind: 'settings', input: { settings } }, ids, preview)),
  bulkIp: userProcedure
    .meta(accepted('/zones/bulk-ip-address', 'Changes the address of many domains'))
    .input(bulkIpInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, ...input } }) => runNow(ctx, { kind: 'ip', input }, ids, preview)),
  bulkDns: userProcedure
    .meta(accepted('/zones/bulk-dns', 'Add records to many domains, or change or delete those that match'))
    .input(bulkDnsInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, add, mode, values, edit, delete: gone } }) => {
      const requests = [
        ...(add === undefined ? [] : [{ kind: 'dns_add' as const, input: { records: add, mode, values } }]),
        ...(edit === undefined ? [] : [{ kind: 'dns_edit' as const, input: edit }]),
        ...(gone === undefined ? [] : [{ kind: 'dns_delete' as const, input: gone }]),
      ]
      const [request, ...others] = requests
      if (request !== undefined && others.length === 0) return runNow(ctx, request, ids, preview)
      throw new AppError('validation_failed', { issues: [{ path: 'add', message: 'add_or_delete' }] })
    }),
  refreshAll: userProcedure
    .meta(accepted('/zones/refresh-all-ips', 'Reads every domain with its records again'))
    .input(refreshAllInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { preview } }) => runNow(ctx, { kind: 'refresh', input: {} }, 'all', preview)),
  bulkDelete: userProcedure
    .meta(accepted('/zones/bulk-delete', 'Deletes many domains at their provider'))
    .input(bulkDeleteInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview } }) => runNow(ctx, { kind: 'delete', input: {} }, ids, preview)),
  bulkBindTracker: userProcedure
    .meta(accepted('/zones/bulk-bind-tracker', 'Binds many domains in a tracker; those that are bound are left out'))
    .input(bulkBindTrackerInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, ...input } }) => runNow(ctx, { kind: 'tracker_bind', input }, ids, preview)),
  bulkUnbindTracker: userProcedure
    .meta(accepted('/zones/bulk-unbind-tracker', 'Unbinds many domains, and archives them in their trackers'))
    .input(bulkUnbindTrackerInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, ...input } }) => runNow(ctx, { kind: 'tracker_unbind', input }, ids, preview)),
  exclude: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/operations/{id}/exclusions',
        tags,
        summary: 'Leave domains out of a draft by what its preview warns of',
      },
    })
    .input(excludeFromDraftInput)
    .output(excludeFromDraftOutput)
    .mutation(({ ctx, input }) => excludeFromDraft(ctx, input)),
  reschedule: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/operations/{id}/schedule', tags, summary: 'Start a scheduled operation at another time, or now' },
    })
    .input(rescheduleOperationInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => rescheduleOperation(ctx, input)),
  pause: userProcedure
    .meta({ openapi: { method: 'POST', path: '/operations/{id}/pause', tags, summary: 'Nothing new begins until it is resumed' } })
    .input(operationIdInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => pauseOperation(ctx, input.id)),
  resume: userProcedure
    .meta({ openapi: { method: 'POST', path: '/operations/{id}/resume', tags, summary: 'Goes on' } })
    .input(operationIdInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => resumeOperation(ctx, input.id)),
  cancel: userProcedure
    .meta({ openapi: { method: 'POST', path: '/operations/{id}/cancel', tags, summary: 'What has not been tried is not tried any more' } })
    .input(operationIdInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => cancelOperation(ctx, input.id)),
  retryFailed: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/operations/{id}/retry', tags, summary: 'Tries the failed ones again' },
      rest: { status: 202 },
    })
    .input(operationIdInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => retryFailed(ctx, input.id)),
})
