import { z } from 'zod'
import { sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  account,
  accountIds,
  accountsQueued,
  addAccountInput,
  addAccountsInput,
  addAccountsOutput,
  checkProgress,
  deletionPreview,
  listAccountsInput,
  loginDetails,
  someAccounts,
  updateAccountInput,
} from '#shared/features/accounts/schema.ts'
import {
  decideDisappearanceInput,
  decideDisappearanceOutput,
  decideMissingRecordsInput,
  decideMissingRecordsOutput,
  missingNames,
  missingRecordDomains,
} from '#shared/features/sync/disappearances/schema.ts'
import { addAccount } from './add-account.ts'
import { addAccounts } from './add-accounts.ts'
import { checkAccounts, getCheckProgress } from './check-accounts.ts'
import { decideDisappearance, listMissing } from './decide-disappearance.ts'
import { decideMissingRecords, listMissingRecords } from './decide-missing-records.ts'
import { getAccount, listAccounts } from './list-accounts.ts'
import { previewDeletion, removeAccounts } from './remove-accounts.ts'
import { revealAccount } from './reveal-account.ts'
import { syncAccounts } from './sync-accounts.ts'
import { updateAccount } from './update-account.ts'

const tags = ['Accounts']
const accountId = z.object({ id: z.uuid() })
const oneAccount = z.object({ account })

export const accountsRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/accounts',
        tags,
        summary: 'List accounts',
        description: 'Returns every account, or those with a name or email that contains `search`.',
      },
    })
    .input(listAccountsInput)
    .output(z.object({ accounts: z.array(account) }))
    .query(({ ctx, input }) => listAccounts(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/accounts/{id}', tags, summary: 'Get an account' } })
    .input(accountId)
    .output(oneAccount)
    .query(({ ctx, input }) => getAccount(ctx, input)),
  add: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/accounts', tags, summary: 'Add an account and sync its zones' },
      rest: { status: 201 },
    })
    .input(addAccountInput)
    .output(oneAccount)
    .mutation(({ ctx, input }) => addAccount(ctx, input)),
  addMany: userProcedure
    .meta({ openapi: { method: 'POST', path: '/accounts/bulk-create', tags, summary: 'Add accounts from text, one per line' } })
    .input(addAccountsInput)
    .output(addAccountsOutput)
    .mutation(({ ctx, input }) => addAccounts(ctx, input)),
  update: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/accounts/{id}',
        tags,
        summary: 'Update an account',
        description: 'Absent and empty fields stay unchanged.',
      },
    })
    .input(updateAccountInput)
    .output(oneAccount)
    .mutation(({ ctx, input }) => updateAccount(ctx, input)),
  reveal: sessionProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/login-details',
        tags,
        summary: 'Reveal the credentials of an account',
        description: 'Returns the email, password, and API key. Requires step-up authentication and is recorded in the activity log.',
      },
    })
    .input(accountId)
    .output(loginDetails)
    .mutation(({ ctx, input }) => revealAccount(ctx, input)),
  check: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/check',
        tags,
        summary: 'Check the health of accounts',
        description: 'Checks the accounts in `ids`, or all accounts if `ids` is absent.',
      },
    })
    .input(someAccounts)
    .output(checkProgress)
    .mutation(({ ctx, input }) => checkAccounts(ctx, input)),
  checkProgress: userProcedure.output(checkProgress).query(({ ctx }) => getCheckProgress(ctx)),
  sync: userProcedure
    .meta({ openapi: { method: 'POST', path: '/accounts/{id}/sync', tags, summary: 'Sync the zones of an account' } })
    .input(accountId)
    .output(accountsQueued)
    .mutation(({ ctx, input }) => syncAccounts(ctx, { ids: [input.id] })),
  requestSync: userProcedure
    .input(someAccounts)
    .output(accountsQueued)
    .mutation(({ ctx, input }) => syncAccounts(ctx, input)),
  missing: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/accounts/{id}/disappearance', tags, summary: 'List domains that are missing at Cloudflare' },
    })
    .input(accountId)
    .output(missingNames)
    .query(({ ctx, input }) => listMissing(ctx, input)),
  decideDisappearance: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/disappearance',
        tags,
        summary: 'Keep or remove domains that are missing at Cloudflare',
        description: 'If a sync no longer finds many domains, nothing is removed until you decide with this call.',
      },
    })
    .input(decideDisappearanceInput)
    .output(decideDisappearanceOutput)
    .mutation(({ ctx, input }) => decideDisappearance(ctx, input)),
  missingRecords: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/accounts/{id}/missing-records',
        tags,
        summary: 'List domains with DNS records that are missing at Cloudflare',
      },
    })
    .input(accountId)
    .output(missingRecordDomains)
    .query(({ ctx, input }) => listMissingRecords(ctx, input)),
  decideMissingRecords: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/missing-records',
        tags,
        summary: 'Keep or remove DNS records that are missing at Cloudflare',
        description:
          'If Cloudflare no longer lists many records of a domain, they are kept until you decide with this call. Applies to the domains in `domainIds`, or to all domains of the account if it is absent.',
      },
    })
    .input(decideMissingRecordsInput)
    .output(decideMissingRecordsOutput)
    .mutation(({ ctx, input }) => decideMissingRecords(ctx, input)),
  deletionPreview: userProcedure
    .input(accountIds)
    .output(deletionPreview)
    .query(({ ctx, input }) => previewDeletion(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/accounts/{id}',
        tags,
        summary: 'Remove an account from the panel',
        description: 'Nothing is deleted at Cloudflare.',
      },
    })
    .input(accountId)
    .output(deletionPreview)
    .mutation(({ ctx, input }) => removeAccounts(ctx, { ids: [input.id] })),
  removeMany: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/bulk-delete',
        tags,
        summary: 'Remove accounts from the panel',
        description: 'Nothing is deleted at Cloudflare.',
      },
    })
    .input(accountIds)
    .output(deletionPreview)
    .mutation(({ ctx, input }) => removeAccounts(ctx, input)),
})
