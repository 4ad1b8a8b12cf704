import type { Transaction } from '#server/db/client.ts'
import { countOwned, ownerLimits } from '#server/platform/owner-limits.repo.ts'
import type { OwnerLimitKind } from '#server/platform/owner-limits.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * Lets through who may have `more` of a kind, in the transaction that adds them: of two at once the second sees what the first has added.
 * @throws AppError limit_reached, too_many_channels
 */
export async function requireRoom(tx: Transaction, kind: OwnerLimitKind, ownerId: string, more = 1): Promise<void> {
  const { max } = ownerLimits[kind]
  if (more === 0 || (await countOwned(tx, kind, ownerId)) + more <= max) return
  throw new AppError(kind === 'alertChannels' ? 'too_many_channels' : 'limit_reached', { params: { max } })
}
