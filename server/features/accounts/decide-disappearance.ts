import type { z } from 'zod'
import { keepHeld, takeHeld } from '#server/features/sync/disappearances/index.ts'
import { updateGone } from '#server/features/domains/mirror/index.ts'
import { wakeSync } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf } from '#server/platform/reach.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { decideDisappearanceInput } from '#shared/features/sync/disappearances/schema.ts'
import { getSummaries } from './get-account.ts'
import { tellAccounts } from './tell-accounts.ts'

/**
 * A person says whether domains that Cloudflare no longer lists are gone or to be kept.
 * @throws AppError not_found, level_too_low; nothing_to_do where nothing is missing any more
 */
export async function decideDisappearance(ctx: Ctx, { id, decision }: z.infer<typeof decideDisappearanceInput>): Promise<{ gone: number }> {
  // Before the transaction, which then needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const accounts = await getSummaries(ctx, tx, [id], 'operate')
    const subject = { kind: 'account', id } as const
    const keys = decision === 'gone' ? await takeHeld(tx, subject) : (await keepHeld(tx, subject, ctx.actor.name)) ? [] : null
    if (keys === null) throw new AppError('nothing_to_do')
    const gone = await updateGone(tx, id, keys)
    await audit(
      tx,
      ctx,
      ...accounts.map(({ email, ownerId }) => ({
        action: 'update' as const,
        entityType: 'account' as const,
        entityId: id,
        entityName: email,
        ownerId,
        details: decision === 'gone' ? { gone } : { missing: 'kept' },
      })),
    )
    await tellAccounts(ctx, tx, accounts, 'accounts', 'domains')
    await wakeSync(tx)
    return { gone }
  })
}
