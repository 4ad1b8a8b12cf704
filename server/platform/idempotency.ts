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
import type { Claim } from '#server/platform/idempotency.repo.ts'
import { behindFence, NotConfirmed } from '#server/platform/write-fence.ts'
import type { WriteFence } from '#server/platform/write-fence.ts'
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
/** A renewal older than this is repeated before something is sent to a provider, … */
const confirmedForMs = 5_000
/** … and so long after one a write may still begin: far less than `answerWithinSeconds`. */
const writableForMs = 10_000

const stillBeingAnswered = () =>
  new AppError('conflict', {
    params: { retryAfterSeconds: 1 },
    issues: [{ path: 'Idempotency-Key', message: 'still_being_answered' }],
  })

/**
 * Renews a claim however long its call takes, so that nobody else runs it meanwhile. A process that was stopped for longer has lost it, and sends nothing
 * more once it goes on: another call has done it.
 */
function holdClaim(orm: Services['db']['orm'], claimed: Claim) {
  let claim = claimed
  let confirmedAtMs = performance.now()
  const lost = new AbortController()
  let renewing: Promise<void> | null = null
  /** The call has its answer; what it set going besides goes on without it. */
  let isOver = false
  async function renew(): Promise<void> {
    const askedAtMs = performance.now()
    const renewed = await renewClaim(orm, claim)
    if (renewed === null) {
      lost.abort(stillBeingAnswered())
      return
    }
    claim = renewed
    confirmedAtMs = askedAtMs
  }
  const renewOnce = () => (renewing ??= renew().finally(() => (renewing = null)))
  const timer = setInterval(() => {
    if (!lost.signal.aborted) renewOnce().catch(() => undefined)
  }, renewEveryMs)
  const fence: WriteFence = {
    lost: lost.signal,
    async confirm() {
      lost.signal.throwIfAborted()
      // Asked again after each answer: the process may have been stopped while it came.
      while (!isOver && performance.now() - confirmedAtMs >= confirmedForMs) {
        await renewOnce()
        lost.signal.throwIfAborted()
      }
    },
    check() {
      lost.signal.throwIfAborted()
      if (!isOver && performance.now() - confirmedAtMs >= writableForMs) throw new NotConfirmed()
    },
  }
  return {
    fence,
    /** Answers the claim as it was last renewed. */
    async end(): Promise<Claim> {
      clearInterval(timer)
      isOver = true
      await renewing?.catch(() => undefined)
      return claim
    },
  }
}

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
  const claimed = await claimKey(orm, { userId, key, requestHash })
  if (claimed === null) {
    const kept = await findAnswer(orm, { userId, key })
    if (kept !== null && kept.requestHash !== requestHash) throw new AppError('idempotency_mismatch')
    if (kept === null || kept.status === null) throw stillBeingAnswered()
    // What an earlier version kept is not encrypted.
    const text =
      kept.text?.startsWith('v1.') === true
        ? decryptStored(secrets, { encrypted: kept.text, context, secret: 'kept_answer', name: key })
        : kept.text
    return { status: kept.status, text, replayed: true }
  }
  // What was done is done, and what was refused is refused, also when the key's row cannot be written any more.
  const unwritten = (error: unknown) => log.error({ err: error }, 'failed to store the response for an idempotency key')
  const held = holdClaim(orm, claimed)
  let answer: Answer
  try {
    const { allowed, retryAfterSeconds } = await limiter.take(`idempotency-keys:${userId}`, keysPerPerson.limit, keysPerPerson.windowMs)
    if (!allowed) throw new AppError('too_many_idempotency_keys', { params: { max: keysPerPerson.limit, retryAfterSeconds } })
    answer = await behindFence(held.fence, run)
    const more = Math.floor((answer.text?.length ?? 0) / charactersPerKey)
    if (more > 0) await limiter.take(`idempotency-keys:${userId}`, keysPerPerson.limit, keysPerPerson.windowMs, more).catch(unwritten)
  } catch (error) {
    await dropClaim(orm, await held.end()).catch(unwritten)
    throw error
  }
  const claim = await held.end()
  // Answers may report people, and are kept beside nothing that does.
  const text = answer.text === null ? null : secrets.encrypt(answer.text, context)
  await keepAnswer(orm, claim, { ...answer, text }).catch(unwritten)
  return { ...answer, replayed: false }
}
