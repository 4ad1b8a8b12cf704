import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { addPasskeyInput, passkeyStarted, factorAdded } from '#shared/features/two-factor/schema.ts'
import { answerChallenge, getChallenge, openChallenge } from './challenge.ts'
import { finishSetUp } from './finish-set-up.ts'
import { lockFactors } from './lock-factors.ts'
import { passkeyCreationOptions, passkeySite, verifyCreated } from './passkeys.ts'
import { findFactors, findPerson, insertPasskey } from './two-factor.repo.ts'

const maxPasskeys = 20

/** @throws AppError passkey_failed if the panel's address does not permit passkeys, too_many_passkeys above twenty */
export async function startPasskey(ctx: Ctx): Promise<z.infer<typeof passkeyStarted>> {
  requireRecentAuth(ctx)
  const { userId } = ctx.actor
  const site = passkeySite(ctx.origin)
  if (site === null) throw new AppError('passkey_failed')
  const person = await findPerson(ctx.db.orm, userId)
  if (person === null) throw new AppError('unauthorized')
  const { passkeys } = await findFactors(ctx.db.orm, userId)
  if (passkeys.length >= maxPasskeys) throw new AppError('too_many_passkeys')
  const user = { id: userId, email: person.email, name: person.name ?? person.username }
  const passkey = await passkeyCreationOptions(site, user, passkeys)
  const ticket = await openChallenge(ctx, { purpose: 'passkey_add', userId, data: { challenge: passkey.challenge } })
  return { ticket, passkey }
}

/** @throws AppError confirmation_needed, challenge_expired, passkey_failed, too_many_passkeys */
export async function addPasskey(ctx: Ctx, input: z.output<typeof addPasskeyInput>): Promise<z.infer<typeof factorAdded>> {
  requireRecentAuth(ctx)
  const { userId } = ctx.actor
  const site = passkeySite(ctx.origin)
  const row = await getChallenge(ctx, input.ticket, 'passkey_add')
  if (row.userId !== userId) throw new AppError('challenge_expired')
  const { challenge } = z.object({ challenge: z.string() }).parse(row.data)
  return answerChallenge(
    ctx,
    row,
    async (tx) => {
      const key = site === null ? null : await verifyCreated(site, challenge, input.passkey)
      if (key === null) throw new AppError('passkey_failed')
      const { passkeys } = await lockFactors(ctx, tx)
      if (passkeys.length >= maxPasskeys) throw new AppError('too_many_passkeys')
      if (!(await insertPasskey(tx, { ...key, userId, name: input.name }))) throw new AppError('passkey_failed')
      return finishSetUp(ctx, tx, 'passkey', input.name)
    },
    { once: true },
  )
}
