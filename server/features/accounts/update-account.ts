import { randomUUID } from 'node:crypto'
import { apiKeyContext, decryptApiKey, interruptSync, passwordContext, queueSync, wakeSync } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Account, UpdateAccountFields } from '#shared/features/accounts/schema.ts'
import type { AccountRow } from './accounts.repo.ts'
import { getAccountForUpdate, updateAccountRow, updateCheckRequested } from './accounts.repo.ts'
import { getAccount } from './list-accounts.ts'
import { credentialHashOf } from './encrypt-account.ts'
import { publishAccountsChanged } from './publish-accounts-changed.ts'

const given = (value: string | null | undefined): value is string => value !== undefined && value !== null && value !== ''

function isReadable(ctx: Ctx, row: AccountRow): boolean {
  try {
    decryptApiKey(ctx.secrets, row)
    return true
  } catch {
    return false
  }
}

/** The columns to change; empty or absent fields are unchanged, null removes the value. */
function changesOf(ctx: Ctx, row: AccountRow, input: UpdateAccountFields): Partial<AccountRow> {
  const email = input.email ?? row.email
  const kind = input.kind ?? row.kind
  const credentialMayDiffer = given(input.apiKey) || email !== row.email || kind !== row.kind
  const apiKey = given(input.apiKey) ? input.apiKey : credentialMayDiffer ? decryptApiKey(ctx.secrets, row) : ''
  const credentialHash = credentialMayDiffer ? credentialHashOf(ctx.secrets, { kind, email, apiKey }) : row.credentialHash
  // Entering the same key again, because the stored one cannot be decrypted, counts as a new credential.
  const another = credentialHash !== row.credentialHash || (given(input.apiKey) && !isReadable(ctx, row))
  return {
    ...(input.name === null ? { name: null } : given(input.name) ? { name: input.name } : {}),
    ...(email === row.email ? {} : { email }),
    ...(kind === row.kind ? {} : { kind }),
    ...(given(input.apiKey) && another ? { apiKeySealed: ctx.secrets.encrypt(apiKey, apiKeyContext(row.id)) } : {}),
    ...(input.password === null
      ? { passwordSealed: null }
      : given(input.password)
        ? { passwordSealed: ctx.secrets.encrypt(input.password, passwordContext(row.id)) }
        : {}),
    // A new credential may belong to another Cloudflare user, so everything known about the old one is reset.
    ...(!another
      ? {}
      : {
          credentialHash,
          health: 'unknown',
          healthCode: null,
          healthMessage: null,
          providerUserId: null,
          providerAccountIds: [],
          checkedAt: null,
          detailsRefused: null,
          syncErrorCode: null,
          syncErrorMessage: null,
          syncFailures: 0,
          trafficDueAt: new Date(ctx.clock.now()),
        }),
  }
}

/** Details for the activity log: old and new values of public fields, and whether a secret changed. */
function describe(row: AccountRow, changes: Partial<AccountRow>): Record<string, unknown> {
  const plain = (['name', 'email', 'kind'] as const).flatMap((key) =>
    changes[key] === undefined || changes[key] === row[key] ? [] : [[key, { from: row[key], to: changes[key] }] as const],
  )
  const secret = [
    ...(changes.apiKeySealed === undefined ? [] : [['apiKey', 'changed'] as const]),
    ...(changes.passwordSealed === undefined ? [] : [['password', changes.passwordSealed === null ? 'removed' : 'changed'] as const]),
  ]
  return Object.fromEntries<unknown>([...plain, ...secret])
}

/**
 * A manager may rename an account; only the owner may change its credential. A new credential queues a check and a sync, the same one a check.
 * @throws AppError not_found, level_too_low, account_exists, secret_unreadable
 */
export async function updateAccount(ctx: Ctx, input: UpdateAccountFields): Promise<{ account: Account }> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const row = await getAccountForUpdate(tx, input.id)
    const changes = changesOf(ctx, row, input)
    const renamesOnly = !given(input.apiKey) && Object.keys(changes).every((key) => key === 'name')
    await requireLevel(ctx, { ownerId: row.ownerId, accountId: row.id }, renamesOnly ? 'manage' : 'own')
    if (Object.keys(changes).length > 0) {
      if (!(await updateAccountRow(tx, row, changes))) throw new AppError('account_exists')
      const entry = { action: 'update', entityType: 'account', entityId: row.id, entityName: row.email, ownerId: row.ownerId } as const
      await audit(tx, ctx, { ...entry, details: describe(row, changes) })
      if (changes.credentialHash !== undefined) {
        await updateCheckRequested(tx, [row.id], randomUUID())
        await interruptSync(tx)
        await queueSync(tx, [row.id])
      }
      await publishAccountsChanged(ctx, tx, [row], 'accounts')
    }
    // It may permit more by now.
    if (given(input.apiKey) && changes.credentialHash === undefined) {
      await updateCheckRequested(tx, [row.id], randomUUID())
      await wakeSync(tx)
      await publishAccountsChanged(ctx, tx, [row], 'accounts')
    }
    return getAccount(ctx, row, tx)
  })
}
