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
import {
  previewDomainRedirectsInput,
  previewDomainRedirectsOutput,
  previewRedirectsInput,
  previewRedirectsOutput,
} from '#shared/features/redirects/schema.ts'
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
import { previewDomainRedirects } from './kinds/preview-domain-redirects.ts'
import { previewRedirects } from './kinds/preview-redirects.ts'
import { previewTrackerArchive } from './kinds/preview-tracker-archive.ts'
import { runNow } from './run-now.ts'

const tags = ['Operations']
/** Answers of calls that start background work or return its plan. */
const accepted = (path: `/${string}`, summary: string, description?: string) =>
  ({
    openapi: { method: 'POST', path, tags, summary, ...(description !== undefined && { description }) },
    rest: { status: 202 },
    forReaders: 'preview',
  }) as const

export const operationsRouter = t.router({
  /** Sends nothing; returns a draft. */
  preview: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/operations',
        tags,
        summary: 'Preview an operation as a draft',
        description: 'Nothing is sent to providers until the draft is started. Drafts expire after an hour.',
      },
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
        summary: 'Preview the undo of an operation as a draft',
        description: 'Nothing is sent to providers until the draft is started.',
      },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewUndoInput)
    .output(operationPreview)
    .mutation(({ ctx, input }) => previewUndo(ctx, input)),
  /** Previews one change of one domain, for REST's `?preview=true`. Sends and stores nothing. */
  previewChange: userProcedure
    .meta({ forReaders: 'always' })
    .input(previewChangeInput)
    .output(changePreview)
    .mutation(({ ctx, input }) => previewChange(ctx, input)),
  /** Like `preview`, for domains that do not exist yet. */
  previewCreate: userProcedure
    .meta({ forReaders: 'always' })
    .input(bulkCreateInput)
    .output(operationPreview)
    .mutation(({ ctx, input }) => previewCreate(ctx, input)),
  /** Like `previewCreate`, for domains that are bought first. */
  previewPurchase: userProcedure
    .meta({ forReaders: 'always' })
    .input(purchaseInput)
    .output(purchasePreview)
    .mutation(({ ctx, input }) => previewPurchase(ctx, input)),
  /** Like `preview`, for tracker domains that are not zones of the panel. */
  previewTrackerArchive: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/tracker-domains/archive',
        tags: ['Trackers'],
        summary: 'Preview archiving tracker domains as a draft',
        description: 'Nothing is sent to trackers until the draft is started.',
      },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewTrackerArchiveInput)
    .output(operationPreview)
    .mutation(({ ctx, input }) => previewTrackerArchive(ctx, input)),
  /** Like `preview`, for the redirects of an account. */
  previewRedirects: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/redirects',
        tags: ['Redirects'],
        summary: 'Preview a change of redirects as a draft',
        description:
          'Takes a CSV file, or single redirects to add, change and remove. Nothing is sent to Cloudflare until the draft is started.',
      },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewRedirectsInput)
    .output(previewRedirectsOutput)
    .mutation(({ ctx, input }) => previewRedirects(ctx, input)),
  /** Like `preview`, for redirects of whole domains. */
  previewDomainRedirects: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/redirects',
        tags: ['Redirects'],
        summary: 'Preview redirects of whole domains as a draft',
        description:
          'Each domain gets one redirect in the list of its account, or a single redirect rule of its own if the list has no room or cannot be used. Nothing is sent to Cloudflare until the draft is started.',
      },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewDomainRedirectsInput)
    .output(previewDomainRedirectsOutput)
    .mutation(({ ctx, input }) => previewDomainRedirects(ctx, input)),
  /** Like `preview`, for names at registrars. */
  previewAutoRenew: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/registrar-names/auto-renew',
        tags,
        summary: 'Preview an auto-renew change as a draft',
        description: 'Nothing is sent to registrars until the draft is started.',
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
        summary: 'Preview a renewal of domains as a draft',
        description: 'Returns the total price. Nothing is charged until the draft is started.',
      },
      rest: { status: 201 },
      forReaders: 'always',
    })
    .input(previewRenewalInput)
    .output(renewalPreview)
    .mutation(({ ctx, input }) => previewRenewal(ctx, input)),
  start: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/operations/{id}/start',
        tags,
        summary: 'Start a draft now or later',
        description: 'Purchases and renewals require a session or a token of scope `buy`, which cannot start anything else.',
      },
      rest: { status: 202 },
      buys: true,
    })
    .input(startOperationInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => startOperation(ctx, input)),
  discard: userProcedure
    .meta({ openapi: { method: 'DELETE', path: '/operations/{id}', tags, summary: 'Discard a draft' }, rest: { status: 204 } })
    .input(operationIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => discardDraft(ctx, input.id)),
  list: userProcedure
    .meta({ openapi: { method: 'GET', path: '/operations', tags, summary: 'List operations', description: 'Newest first.' } })
    .input(listOperationsInput)
    .output(listOperationsOutput)
    .query(({ ctx, input }) => listOperations(ctx, input)),
  items: userProcedure
    .meta({ openapi: { method: 'GET', path: '/operations/{id}', tags, summary: 'Get an operation and its items' } })
    .input(listItemsInput)
    .output(listItemsOutput)
    .query(({ ctx, input }) => listItems(ctx, input)),
  itemNames: userProcedure
    .input(itemNamesInput)
    .output(itemNamesOutput)
    .query(({ ctx, input }) => listNames(ctx, input)),
  bulkCreate: userProcedure
    .meta(accepted('/zones/bulk-create', 'Add domains across accounts in priority order'))
    .input(bulkCreateRequest)
    .output(bulkAnswer)
    .mutation(({ ctx, input }) => createMany(ctx, input)),
  purchase: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/registration', tags: ['Registration'], summary: 'Buy domains and set them up' },
      rest: { status: 202 },
      forReaders: 'preview',
      buys: true,
    })
    .input(purchaseRequest)
    .output(purchaseAnswer)
    .mutation(({ ctx, input }) => purchase(ctx, input)),
  bulkSettings: userProcedure
    .meta(accepted('/zones/bulk-update-settings', 'Change the settings of domains'))
    .input(bulkSettingsInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, settings } }) => runNow(ctx, { kind: 'settings', input: { settings } }, ids, preview)),
  bulkIp: userProcedure
    .meta(accepted('/zones/bulk-ip-address', 'Change the IP address of domains'))
    .input(bulkIpInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, ...input } }) => runNow(ctx, { kind: 'ip', input }, ids, preview)),
  bulkDns: userProcedure
    .meta(accepted('/zones/bulk-dns', 'Add, edit, or delete DNS records of domains'))
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
    .meta(accepted('/zones/refresh-all-ips', 'Refresh all domains and their records from Cloudflare'))
    .input(refreshAllInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { preview } }) => runNow(ctx, { kind: 'refresh', input: {} }, 'all', preview)),
  bulkDelete: userProcedure
    .meta(accepted('/zones/bulk-delete', 'Delete domains from Cloudflare'))
    .input(bulkDeleteInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview } }) => runNow(ctx, { kind: 'delete', input: {} }, ids, preview)),
  bulkBindTracker: userProcedure
    .meta(accepted('/zones/bulk-bind-tracker', 'Bind domains to a tracker', 'Domains that are already bound are skipped.'))
    .input(bulkBindTrackerInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, ...input } }) => runNow(ctx, { kind: 'tracker_bind', input }, ids, preview)),
  bulkUnbindTracker: userProcedure
    .meta(accepted('/zones/bulk-unbind-tracker', 'Unbind domains from their trackers', 'The domains are also archived in their trackers.'))
    .input(bulkUnbindTrackerInput)
    .output(bulkAnswer)
    .mutation(({ ctx, input: { ids, preview, ...input } }) => runNow(ctx, { kind: 'tracker_unbind', input }, ids, preview)),
  exclude: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/operations/{id}/exclusions',
        tags,
        summary: 'Exclude domains with given warnings from a draft',
      },
    })
    .input(excludeFromDraftInput)
    .output(excludeFromDraftOutput)
    .mutation(({ ctx, input }) => excludeFromDraft(ctx, input)),
  reschedule: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/operations/{id}/schedule', tags, summary: 'Reschedule an operation or start it now' },
    })
    .input(rescheduleOperationInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => rescheduleOperation(ctx, input)),
  pause: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/operations/{id}/pause',
        tags,
        summary: 'Pause an operation',
        description: 'Items that are already running finish; no new items start.',
      },
    })
    .input(operationIdInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => pauseOperation(ctx, input.id)),
  resume: userProcedure
    .meta({ openapi: { method: 'POST', path: '/operations/{id}/resume', tags, summary: 'Resume an operation' } })
    .input(operationIdInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => resumeOperation(ctx, input.id)),
  cancel: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/operations/{id}/cancel',
        tags,
        summary: 'Cancel an operation',
        description: 'Items that have not started yet are canceled; completed items stay as they are.',
      },
    })
    .input(operationIdInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => cancelOperation(ctx, input.id)),
  retryFailed: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/operations/{id}/retry', tags, summary: 'Retry the failed items of an operation' },
      rest: { status: 202 },
    })
    .input(operationIdInput)
    .output(operationAnswer)
    .mutation(({ ctx, input }) => retryFailed(ctx, input.id)),
})
