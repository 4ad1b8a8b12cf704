import { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { passkeyAsked, passkeyInput } from '#shared/features/two-factor/schema.ts'
import { answerChallenge, getChallenge, openChallenge } from './challenge.ts'
import { passkeyRequestOptions, passkeySite } from './passkeys.ts'
import { takePasskey } from './second-factor.ts'

/** @throws AppError passkey_failed if the panel's address does not permit passkeys */
export async function askPasskey(ctx: Ctx<Actor | null>): Promise<z.infer<typeof passkeyAsked>> {
  const site = passkeySite(ctx.origin)
  if (site === null) throw new AppError('passkey_failed')
  const passkey = await passkeyRequestOptions(site, null)
  const ticket = await openChallenge(ctx, { purpose: 'passkey_sign_in', userId: null, data: { challenge: passkey.challenge } })
  return { ticket, passkey }
}

/**
 * A passkey with user verification counts as both factors. `then` runs in the same transaction.
 * @throws AppError challenge_expired, passkey_failed
 */
export async function answerPasskey<T>(
  ctx: Ctx<Actor | null>,
  { ticket, passkey }: z.output<typeof passkeyInput>,
  then: (tx: Transaction, userId: string) => Promise<T>,
): Promise<T> {
  const row = await getChallenge(ctx, ticket, 'passkey_sign_in')
  const { challenge } = z.object({ challenge: z.string() }).parse(row.data)
  const take = async (tx: Transaction) => {
    const userId = await takePasskey(ctx, tx, passkey, { challenge })
    if (userId === null) throw new AppError('passkey_failed')
    return then(tx, userId)
  }
  return answerChallenge(ctx, row, take, { once: true })
}
