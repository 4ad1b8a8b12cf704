import {
  confirmRevertInput,
  listAccountHistoryInput,
  listHistoryInput,
  listHistoryOutput,
  revertInput,
  revertOutput,
  revertPlan,
} from '#shared/features/domains/history/schema.ts'
import { listAccountHistory, previewAccountRevert, revertAccount } from './account-history.ts'
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
  listOfAccount: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/accounts/{id}/history',
        tags,
        summary: 'List changes of an account’s IP access rules',
        description: 'Those made by the panel, newest first.',
      },
    })
    .input(listAccountHistoryInput)
    .output(listHistoryOutput)
    .query(({ ctx, input }) => listAccountHistory(ctx, input)),
  previewRevertOfAccount: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/history/revert/preview',
        tags,
        summary: 'Preview a revert of changes of an account',
        description: 'Compares the changes with the current rules at Cloudflare.',
      },
      forReaders: 'always',
    })
    .input(revertInput)
    .output(revertPlan)
    .mutation(({ ctx, input }) => previewAccountRevert(ctx, input)),
  revertOfAccount: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/history/revert',
        tags,
        summary: 'Revert changes of an account',
        description: 'Applies the revert that was returned by the preview.',
      },
    })
    .input(confirmRevertInput)
    .output(revertOutput)
    .mutation(({ ctx, input }) => revertAccount(ctx, input)),
})
