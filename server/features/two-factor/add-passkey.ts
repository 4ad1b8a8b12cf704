import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { requireFresh } from '#server/platform/fresh.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { addPasskeyInput, passkeyStarted, recoveryCodesMade } from '#shared/features/two-factor/schema.ts'
import { auditFactor } from './audit-factor.ts'
import { answerChallenge, getChallenge, openChallenge } from './challenge.ts'
import { passkeyCreationOptions, passkeySite, verifyCreated } from './passkeys.ts'
import { makeFirstRecoveryCodes } from './recovery-codes.ts'
import { findFactors, findPerson, insertPasskey, lockPerson } from './two-factor.repo.ts'

const maxPasskeys = 20

/** @throws AppError passkey_failed where the panel's address allows no passkeys, too_many_passkeys where there are twenty already */
export async function startPasskey(ctx: Ctx): Promise<z.infer<typeof passkeyStarted>> {
  requireFresh(ctx)
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

/** @throws AppError challenge_expired, passkey_failed */
export async function addPasskey(ctx: Ctx, input: z.output<typeof addPasskeyInput>): Promise<z.infer<typeof recoveryCodesMade>> {
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
      await lockPerson(tx, userId)
      if (!(await insertPasskey(tx, { ...key, userId, name: input.name }))) throw new AppError('passkey_failed')
      await auditFactor(tx, ctx, 'passkey', 'added', input.name)
      return { recoveryCodes: await makeFirstRecoveryCodes(ctx, tx) }
    },
    { once: true },
  )
}
