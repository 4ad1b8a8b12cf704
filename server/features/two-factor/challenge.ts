import { createHash, randomBytes } from 'node:crypto'
import type { Transaction } from '#server/db/client.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ChallengeRow } from './two-factor.repo.ts'
import { insertChallenge, takeChallenge, tryChallenge } from './two-factor.repo.ts'

export type Purpose = 'second_factor' | 'confirm' | 'passkey_sign_in' | 'passkey_add' | 'totp_add'

const lifetimeMs = 10 * 60_000
const maxTries = 5

const hash = (ticket: string): string => createHash('sha256').update(ticket).digest('base64url')

/** The ticket that identifies the challenge. `data` is compared with the response. */
export async function openChallenge(
  ctx: Ctx<Actor | null>,
  { purpose, userId, data }: { readonly purpose: Purpose; readonly userId: string | null; readonly data: object },
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  const now = ctx.clock.now()
  const row = { id: hash(ticket), userId, purpose, data, expiresAt: new Date(now + lifetimeMs) }
  await insertChallenge(ctx.db.orm, row, new Date(now))
  return ticket
}

/**
 * Counts an attempt.
 * @throws AppError challenge_expired, also after five attempts
 */
export async function getChallenge(ctx: Ctx<Actor | null>, ticket: string, purpose: Purpose): Promise<ChallengeRow> {
  const challenge = await tryChallenge(ctx.db.orm, { id: hash(ticket), purpose, now: new Date(ctx.clock.now()), maxTries })
  if (challenge === null) throw new AppError('challenge_expired')
  return challenge
}

/**
 * Runs `take` in a transaction; of concurrent uses of the challenge one succeeds. If it throws, the challenge stays for another attempt;
 * with `once` it is deleted in any case.
 * @throws AppError challenge_expired
 */
export async function answerChallenge<T>(
  ctx: Ctx<Actor | null>,
  { id }: ChallengeRow,
  take: (tx: Transaction) => Promise<T>,
  { once }: { readonly once: boolean } = { once: false },
): Promise<T> {
  const { orm } = ctx.db
  try {
    return await orm.transaction(async (tx) => {
      if (!(await takeChallenge(tx, id))) throw new AppError('challenge_expired')
      return take(tx)
    })
  } catch (error) {
    if (once) await takeChallenge(orm, id)
    throw error
  }
}
