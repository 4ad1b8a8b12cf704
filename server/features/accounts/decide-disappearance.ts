import type { z } from 'zod'
import { updateGone } from '#server/features/domains/mirror/index.ts'
import { keepHeld, listMissingNames, lockHeld, takeHeld, wakeSync } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf } from '#server/platform/access-scope.ts'
import { mostMissingNames } from '#shared/features/sync/disappearances/schema.ts'
import type { DisappearanceDecision, missingNames } from '#shared/features/sync/disappearances/schema.ts'
import { auditAccounts } from './audit-accounts.ts'
import { getSummaries } from './list-accounts.ts'
import { publishAccountsChanged } from './publish-accounts-changed.ts'

/**
 * The domains of an account that Cloudflare no longer lists and that are kept until this is confirmed.
 * @throws AppError not_found
 */
export async function listMissing(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof missingNames>> {
  await getSummaries(ctx, ctx.db.orm, [id], 'view')
  return listMissingNames(ctx.db.orm, { kind: 'account', id }, mostMissingNames)
}

/**
 * The user decides whether domains that Cloudflare no longer lists are gone or kept.
 * @throws AppError not_found, level_too_low; nothing_to_do if nothing is missing any more; conflict if it has changed since it was shown
 */
export async function decideDisappearance(ctx: Ctx, { id, decision, shown }: DisappearanceDecision): Promise<{ gone: number }> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const accounts = await getSummaries(ctx, tx, [id], 'operate')
    const subject = { kind: 'account', id } as const
    await lockHeld(tx, subject, shown)
    if (decision === 'keep') await keepHeld(tx, subject, ctx.actor.name)
    const keys = decision === 'gone' ? ((await takeHeld(tx, subject)) ?? []) : []
    const gone = await updateGone(tx, id, keys)
    await auditAccounts(tx, ctx, 'update', accounts, () => (decision === 'gone' ? { gone } : { missing: 'kept' }))
    await publishAccountsChanged(ctx, tx, accounts, 'accounts', 'domains')
    await wakeSync(tx)
    return { gone }
  })
}
