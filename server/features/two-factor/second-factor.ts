import { z } from 'zod'
import { decryptStored } from '#server/platform/secrets.ts'
import type { Transaction } from '#server/db/client.ts'
import type { Actor } from '#server/platform/actor.ts'
import { giveBackAttempts, takeAttempt } from '#server/platform/attempts.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findKnownDevice } from '#server/platform/known-device.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { FactorMethod, SecondFactorAsked, secondFactorInput } from '#shared/features/two-factor/schema.ts'
import { answerChallenge, getChallenge, openChallenge } from './challenge.ts'
import type { Purpose } from './challenge.ts'
import { passkeyRequestOptions, passkeySite, verifyResponse } from './passkeys.ts'
import { recoveryCodeText } from './recovery-codes.policy.ts'
import { findTotpStep } from './totp.policy.ts'
import { totpContext } from './set-up-totp.ts'
import {
  findFactors,
  findPasskeyForUpdate,
  findPerson,
  findTotpSecret,
  hasFactor,
  takeRecoveryCode,
  takeTotpStep,
  updatePasskey,
} from './two-factor.repo.ts'

/** A code has only a million possible values. */
const tries = { limit: 10, windowMs: 15 * 60_000 }

/**
 * Wrong responses count per person, over all tickets; in the person's own session and on a known device separately, so that someone who
 * knows the password cannot lock the person out there.
 */
function triesKey(ctx: Ctx<Actor | null>, userId: string): string {
  const place = (ctx.actor?.kind === 'user' ? ctx.actor.sessionId : null) ?? findKnownDevice(ctx, userId)
  return place === null ? `second-factor:${userId}` : `second-factor:${userId} at ${place}`
}

const asked = z.object({ challenge: z.string().optional() })
type Answer = z.output<typeof secondFactorInput>
type Asking = Extract<Purpose, 'second_factor' | 'confirm'>

/** Null where the person has no second factor. */
export async function askSecondFactor(ctx: Ctx<Actor | null>, userId: string, purpose: Asking): Promise<SecondFactorAsked | null> {
  if (!(await hasFactor(ctx.db, userId))) return null
  const factors = await findFactors(ctx.db.orm, userId)
  const site = passkeySite(ctx.origin)
  const passkey = factors.passkeys.length === 0 || site === null ? null : await passkeyRequestOptions(site, factors.passkeys)
  if (!factors.totp && factors.passkeys.length === 0) return null
  const methods: FactorMethod[] = [
    ...(passkey === null ? [] : ['passkey' as const]),
    ...(factors.totp ? ['totp' as const] : []),
    ...(factors.recoveryCodesLeft === 0 ? [] : ['recovery' as const]),
  ]
  const ticket = await openChallenge(ctx, { purpose, userId, data: passkey === null ? {} : { challenge: passkey.challenge } })
  return { ticket, methods, passkey }
}

/**
 * Accepts a second factor; codes become invalid by their use. `then` runs in the same transaction.
 * @throws AppError challenge_expired, too_many_attempts, invalid_second_factor, passkey_failed, secret_unreadable
 */
export async function answerSecondFactor<T>(
  ctx: Ctx<Actor | null>,
  purpose: Asking,
  answer: Answer,
  then: (tx: Transaction, userId: string) => Promise<T>,
): Promise<T> {
  const challenge = await getChallenge(ctx, answer.ticket, purpose)
  const { userId } = challenge
  if (userId === null || (ctx.actor?.kind === 'user' && ctx.actor.userId !== userId)) throw new AppError('challenge_expired')
  const key = triesKey(ctx, userId)
  await takeAttempt(ctx, key, tries)
  const isPasskey = answer.method === 'passkey'
  const take = async (tx: Transaction) => {
    if (await takeFactor(ctx, tx, userId, answer, asked.parse(challenge.data).challenge)) return then(tx, userId)
    throw new AppError(isPasskey ? 'passkey_failed' : 'invalid_second_factor')
  }
  try {
    const result = await answerChallenge(ctx, challenge, take, { once: isPasskey })
    await giveBackAttempts(ctx, key)
    return result
  } catch (error) {
    const refused = error instanceof AppError && (error.code === 'passkey_failed' || error.code === 'invalid_second_factor')
    if (refused) await auditRefusal(ctx, userId, answer.method)
    throw error
  }
}

function takeFactor(ctx: Ctx<Actor | null>, tx: Transaction, userId: string, answer: Answer, challenge?: string): Promise<boolean> {
  switch (answer.method) {
    case 'totp':
      return takeTotp(ctx, tx, userId, answer.code)
    case 'recovery':
      return takeRecoveryCode(tx, userId, ctx.secrets.fingerprint(recoveryCodeText(userId, answer.code)))
    case 'passkey':
      return takePasskey(ctx, tx, answer.passkey, { challenge, userId }).then((taken) => taken !== null)
  }
}

async function takeTotp(ctx: Ctx<Actor | null>, tx: Transaction, userId: string, code: string): Promise<boolean> {
  const encrypted = await findTotpSecret(tx, userId)
  if (encrypted === null) return false
  const secret = decryptStored(ctx.secrets, { encrypted, context: totpContext(userId), secret: 'second_factor', name: '' })
  const step = findTotpStep(Buffer.from(secret, 'base64url'), code, ctx.clock.now())
  return step !== null && takeTotpStep(tx, userId, step)
}

/**
 * The owner of the passkey; null if it is not one of the panel's. Without `userId` any owner is accepted, with user verification required.
 */
export async function takePasskey(
  ctx: Ctx<Actor | null>,
  tx: Transaction,
  response: Extract<Answer, { method: 'passkey' }>['passkey'],
  { challenge, userId }: { readonly challenge: string | undefined; readonly userId?: string },
): Promise<string | null> {
  const site = passkeySite(ctx.origin)
  const key = await findPasskeyForUpdate(tx, response.id)
  if (site === null || challenge === undefined || key === null || (userId !== undefined && key.userId !== userId)) return null
  const used = await verifyResponse(site, key, { challenge, isPasswordless: userId === undefined }, response)
  if (used === null) return null
  await updatePasskey(tx, key.id, { ...used, lastUsedAt: new Date(ctx.clock.now()) })
  return key.userId
}

async function auditRefusal(ctx: Ctx<Actor | null>, userId: string, method: FactorMethod): Promise<void> {
  const person = await findPerson(ctx.db.orm, userId)
  const details = { why: 'invalid_second_factor', method }
  await audit(ctx.db.orm, ctx, {
    action: 'denied',
    entityType: 'user',
    entityId: userId,
    entityName: person?.email,
    ownerId: userId,
    details,
  })
}
