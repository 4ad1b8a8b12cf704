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

/** Keys per person within the storage period: more than any client needs, too few to fill the database. */
export const keysPerPerson = { limit: 20_000, windowMs: 24 * 3_600_000 }

/** A longer response counts as one key per part of this length, because responses take the space. */
const charactersPerKey = 64 * 1024

interface Answer {
  readonly status: number
  /** The body as sent; null if there is none. */
  readonly text: string | null
}

/** Renewals happen several times before another call may assume that this one died. */
const renewEveryMs = (answerWithinSeconds * 1000) / 4
/** A renewal older than this is repeated before something is sent to a provider, … */
const confirmedForMs = 5_000
/** … and for this long after a renewal a write may still start: far less than `answerWithinSeconds`. */
const writableForMs = 10_000

const requestInProgress = () =>
  new AppError('conflict', {
    params: { retryAfterSeconds: 1 },
    issues: [{ path: 'Idempotency-Key', message: 'request_in_progress' }],
  })

/**
 * Renews a claim while its call runs, so that no other call starts in the meantime. A process suspended for longer has lost the claim and sends
 * nothing more, because another call has taken over.
 */
function holdClaim(orm: Services['db']['orm'], claimed: Claim) {
  let claim = claimed
  let confirmedAtMs = performance.now()
  const lost = new AbortController()
  let renewing: Promise<void> | null = null
  /** The call has its response; work it started in the background continues without the claim. */
  let isOver = false
  async function renew(): Promise<void> {
    const askedAtMs = performance.now()
    const renewed = await renewClaim(orm, claim)
    if (renewed === null) {
      lost.abort(requestInProgress())
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
      // Checked again after each response: the process may have been suspended in the meantime.
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
    /** Stores the response under the claim as last renewed. */
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
  /** Everything that identifies the call; the order of keys does not matter. */
  readonly request: object
}

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/**
 * Runs a call once for all callers with the same key; later ones get the first response, for a day. Failures are not stored, so that the
 * call can be retried.
 * @throws AppError `too_many_idempotency_keys`, `secret_unreadable`, `idempotency_mismatch` if the key belongs to another request,
 * `conflict` while the first call is running
 */
export async function answerOnce(
  { db: { orm }, secrets, log, limiter }: Pick<Services, 'db' | 'secrets' | 'log' | 'limiter'>,
  { userId, key, request }: KeyedCall,
  run: () => Promise<Answer>,
): Promise<Answer & { readonly replayed: boolean }> {
  // A keyed SHA-256: requests contain passwords, which could be guessed from a plain hash in a copy of the database.
  const requestHash = secrets.fingerprint(JSON.stringify(request, sorted))
  const context = `idempotency:${userId}:${key}`
  await sweepKeys(orm)
  const claimed = await claimKey(orm, { userId, key, requestHash })
  if (claimed === null) {
    const kept = await findAnswer(orm, { userId, key })
    if (kept !== null && kept.requestHash !== requestHash) throw new AppError('idempotency_mismatch')
    if (kept === null || kept.status === null) throw requestInProgress()
    // Earlier versions stored responses unencrypted.
    const text =
      kept.text?.startsWith('v1.') === true
        ? decryptStored(secrets, { encrypted: kept.text, context, secret: 'kept_answer', name: key })
        : kept.text
    return { status: kept.status, text, replayed: true }
  }
  // The outcome stands even if the key's row can no longer be written.
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
  // Responses may contain personal data, so they are stored encrypted.
  const text = answer.text === null ? null : secrets.encrypt(answer.text, context)
  await keepAnswer(orm, claim, { ...answer, text }).catch(unwritten)
  return { ...answer, replayed: false }
}
