import { decryptStored } from '#server/platform/secrets.ts'
import type { Services } from '#server/platform/context.ts'
import {
  answerWithinSeconds,
  claimKey,
  dropClaim,
  findAnswer,
  keepAnswer,
  renewClaim,
  sweepKeys,
} from '#server/platform/idempotency.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** Keys that one person may use in the time that answers are kept: more than any tool needs, and too few to fill the database with. */
export const keysPerPerson = { limit: 20_000, windowMs: 24 * 3_600_000 }

/** A longer answer counts as so many keys as it has parts of this length: their answers are what fills the database. */
const charactersPerKey = 64 * 1024

interface Answer {
  readonly status: number
  /** The body as it is sent; null where there is none. */
  readonly text: string | null
}

/** Several times before another call may think that this one died. */
const renewEveryMs = (answerWithinSeconds * 1000) / 4

interface KeyedCall {
  readonly userId: string
  readonly key: string
  /** All that makes it this call; the order of its keys does not count. */
  readonly request: object
}

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/**
 * Runs a call once for all who come with the same key; later ones get the first one's answer, for a day. What fails is
 * not kept, so that it can be tried again.
 * @throws AppError `too_many_idempotency_keys`, `secret_unreadable`, `idempotency_mismatch` when the key stands for another request, `conflict` while the first still runs
 */
export async function answerOnce(
  { db: { orm }, secrets, log, limiter }: Pick<Services, 'db' | 'secrets' | 'log' | 'limiter'>,
  { userId, key, request }: KeyedCall,
  run: () => Promise<Answer>,
): Promise<Answer & { readonly replayed: boolean }> {
  // A keyed SHA-256: requests hold passwords, which a plain one would let somebody with a copy of the database guess.
  const requestHash = secrets.fingerprint(JSON.stringify(request, sorted))
  const context = `idempotency:${userId}:${key}`
  await sweepKeys(orm)
  let claim = await claimKey(orm, { userId, key, requestHash })
  if (claim === null) {
    const kept = await findAnswer(orm, { userId, key })
    if (kept !== null && kept.requestHash !== requestHash) throw new AppError('idempotency_mismatch')
    if (kept === null || kept.status === null) {
      const issue = { path: 'Idempotency-Key', message: 'still_being_answered' }
      throw new AppError('conflict', { params: { retryAfterSeconds: 1 }, issues: [issue] })
    }
    // What an earlier version kept is not sealed.
    const text =
      kept.text?.startsWith('v1.') === true
        ? decryptStored(secrets, { sealed: kept.text, context, secret: 'kept_answer', name: key })
        : kept.text
    return { status: kept.status, text, replayed: true }
  }
  // What was done is done, and what was refused is refused, also when the key's row cannot be written any more.
  const unwritten = (error: unknown) => log.error({ err: error }, 'the answer to an idempotency key could not be kept')
  // However long it takes, nobody else runs it meanwhile.
  let renewing = Promise.resolve()
  const renewal = setInterval(() => {
    renewing = renewing.then(async () => {
      if (claim !== null) claim = (await renewClaim(orm, claim).catch(() => null)) ?? claim
    })
  }, renewEveryMs)
  const end = () => {
    clearInterval(renewal)
    return renewing
  }
  let answer: Answer
  try {
    const { allowed, retryAfterSeconds } = await limiter.take(`idempotency-keys:${userId}`, keysPerPerson.limit, keysPerPerson.windowMs)
    if (!allowed) throw new AppError('too_many_idempotency_keys', { params: { max: keysPerPerson.limit, retryAfterSeconds } })
    answer = await run()
    const more = Math.floor((answer.text?.length ?? 0) / charactersPerKey)
    if (more > 0) await limiter.take(`idempotency-keys:${userId}`, keysPerPerson.limit, keysPerPerson.windowMs, more).catch(unwritten)
  } catch (error) {
    await end()
    await dropClaim(orm, claim).catch(unwritten)
    throw error
  }
  await end()
  // Answers may tell of people, and are kept beside nothing that does.
  const text = answer.text === null ? null : secrets.seal(answer.text, context)
  await keepAnswer(orm, claim, { ...answer, text }).catch(unwritten)
  return { ...answer, replayed: false }
}
