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
import { decideDisappearanceInput, decideDisappearanceOutput, missingNames } from '#shared/features/sync/disappearances/schema.ts'
import { addAccount } from './add-account.ts'
import { addAccounts } from './add-accounts.ts'
import { checkAccounts, getCheckProgress } from './check-accounts.ts'
import { decideDisappearance, listMissing } from './decide-disappearance.ts'
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
    .meta({ openapi: { method: 'GET', path: '/accounts', tags, summary: 'All accounts, or those whose email or name holds a text' } })
    .input(listAccountsInput)
    .output(z.object({ accounts: z.array(account) }))
    .query(({ ctx, input }) => listAccounts(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/accounts/{id}', tags, summary: 'One account' } })
    .input(accountId)
    .output(oneAccount)
    .query(({ ctx, input }) => getAccount(ctx, input)),
  add: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/accounts', tags, summary: 'Add an account; its zones are read at once' },
      rest: { status: 201 },
    })
    .input(addAccountInput)
    .output(oneAccount)
    .mutation(({ ctx, input }) => addAccount(ctx, input)),
  addMany: userProcedure
    .meta({ openapi: { method: 'POST', path: '/accounts/bulk-create', tags, summary: 'Add accounts, one a line' } })
    .input(addAccountsInput)
    .output(addAccountsOutput)
    .mutation(({ ctx, input }) => addAccounts(ctx, input)),
  update: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/accounts/{id}', tags, summary: 'Change an account; empty or absent is unchanged' } })
    .input(updateAccountInput)
    .output(oneAccount)
    .mutation(({ ctx, input }) => updateAccount(ctx, input)),
  reveal: sessionProcedure
    .meta({ openapi: { method: 'POST', path: '/accounts/{id}/login-details', tags, summary: 'Email, password and key; logged' } })
    .input(accountId)
    .output(loginDetails)
    .mutation(({ ctx, input }) => revealAccount(ctx, input)),
  check: userProcedure
    .meta({ openapi: { method: 'POST', path: '/accounts/check', tags, summary: 'Check the health of some accounts, or of all' } })
    .input(someAccounts)
    .output(checkProgress)
    .mutation(({ ctx, input }) => checkAccounts(ctx, input)),
  checkProgress: userProcedure.output(checkProgress).query(({ ctx }) => getCheckProgress(ctx)),
  sync: userProcedure
    .meta({ openapi: { method: 'POST', path: '/accounts/{id}/sync', tags, summary: 'Read the zones of an account now' } })
    .input(accountId)
    .output(accountsQueued)
    .mutation(({ ctx, input }) => syncAccounts(ctx, { ids: [input.id] })),
  requestSync: userProcedure
    .input(someAccounts)
    .output(accountsQueued)
    .mutation(({ ctx, input }) => syncAccounts(ctx, input)),
  missing: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/accounts/{id}/disappearance', tags, summary: 'List domains that Cloudflare no longer lists' },
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
        summary: 'Decide whether domains that Cloudflare no longer lists are gone or kept',
      },
    })
    .input(decideDisappearanceInput)
    .output(decideDisappearanceOutput)
    .mutation(({ ctx, input }) => decideDisappearance(ctx, input)),
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
        summary: 'Take an account out of the panel; nothing is deleted at the provider',
      },
    })
    .input(accountId)
    .output(deletionPreview)
    .mutation(({ ctx, input }) => removeAccounts(ctx, { ids: [input.id] })),
  removeMany: userProcedure
    .meta({ openapi: { method: 'POST', path: '/accounts/bulk-delete', tags, summary: 'Take accounts out of the panel' } })
    .input(accountIds)
    .output(deletionPreview)
    .mutation(({ ctx, input }) => removeAccounts(ctx, input)),
})
