import { wakeSync } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Account, AccountFields } from '#shared/features/accounts/schema.ts'
import { toAccount } from './account-view.ts'
import { getShown, insertNew, listKnownCredentials, listKnownEmails } from './accounts.repo.ts'
import { healthOf } from './health-of.ts'
import { encryptAccountSecrets } from './encrypt-account.ts'
import { publishAccountsChanged } from './publish-accounts-changed.ts'

/**
 * Adds an account with a credential that the provider accepts, and queues the first sync. If the provider is unavailable the account is
 * added and checked again in the background.
 * @throws AppError account_exists, account_has_other_key, provider_auth, provider_forbidden, provider_rejected, limit_reached; nothing is
 * written then.
 */
export async function addAccount(ctx: Ctx, input: AccountFields): Promise<{ account: Account }> {
  const encrypted = encryptAccountSecrets(ctx.secrets, input)
  const known = await listKnownCredentials(ctx.db.orm, ctx.actor.userId, [encrypted.credentialHash])
  if (known.size > 0) throw new AppError('account_exists')
  if (input.kind === 'global_key' && (await listKnownEmails(ctx.db.orm, ctx.actor.userId, [encrypted.email])).size > 0) {
    throw new AppError('account_has_other_key')
  }
  const health = await healthOf(ctx, input)

  return ctx.db.orm.transaction(async (tx) => {
    const row = {
      ...encrypted,
      ...health,
      ownerId: ctx.actor.userId,
      name: input.name === undefined || input.name === '' ? null : input.name,
      checked: true,
      syncAsked: true,
    }
    await requireRoom(tx, 'accounts', row.ownerId)
    const inserted = await insertNew(tx, [row])
    if (inserted.size === 0) throw new AppError('account_exists')
    await audit(tx, ctx, {
      action: 'create',
      entityType: 'account',
      entityId: row.id,
      entityName: row.email,
      ownerId: row.ownerId,
      details: { name: row.name, kind: row.kind, health: row.health },
    })
    await wakeSync(tx)
    await publishAccountsChanged(ctx, tx, [row], 'accounts')
    return { account: toAccount(await getShown(tx, row.id), null) }
  })
}
