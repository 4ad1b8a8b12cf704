import type { AppError } from '#shared/errors/app-error.ts'

/** What happens to an item after a failure. */
type RetryDecision =
  | { readonly next: 'fail' }
  /** Retried automatically. */
  | { readonly next: 'wait'; readonly seconds: number }
  /** Stops the whole account, tracker or registrar: its other items would fail the same way. */
  | { readonly next: 'stop_account' }

const mostAttempts = 6
/** Upper limit for a delay that a provider asks for. */
const longestWaitSeconds = 3600
/** Provider codes that waiting or another account may resolve. */
const tooManyTries = '1105'
const tooManyPending = '1118'
const mayNotAdd = '1106'
const bannedForNow = '1098'
const oneHour = 3600
const threeHours = 3 * 3600

/** Errors that every other domain would get at this tracker too. */
const ofTheTracker: ReadonlySet<string> = new Set([
  'tracker_auth',
  'tracker_edition',
  'tracker_not_one',
  'tracker_private',
  'tracker_disabled',
])

/** Errors that every other name would get at this registrar too. */
const ofTheRegistrar: ReadonlySet<string> = new Set(['registrar_auth', 'registrar_address', 'registrar_forbidden'])
const secretOf = { account: 'account_key', tracker: 'tracker_key', registrar: 'registrar_credential' } as const

/** It waits for public DNS, and has sent nothing since it was looked at. */
export const waitsForDns = ({ code }: AppError): boolean => code.startsWith('dnssec_ds_')

/**
 * @param attempt 1 for the first attempt
 * @param at where the item runs, which decides what a refusal stops
 */
export function decideRetry(error: AppError, attempt: number, at: keyof typeof secretOf = 'account'): RetryDecision {
  if (at === 'tracker' && ofTheTracker.has(error.code)) return { next: 'stop_account' }
  if (at === 'registrar' && ofTheRegistrar.has(error.code)) return { next: 'stop_account' }
  if (error.provider?.code === tooManyPending || error.provider?.code === mayNotAdd) return { next: 'stop_account' }
  if (error.provider?.code === tooManyTries) return attempt > 2 ? { next: 'fail' } : { next: 'wait', seconds: threeHours }
  if (error.provider?.code === bannedForNow) return attempt > 2 ? { next: 'fail' } : { next: 'wait', seconds: oneHour }
  if (error.code === 'provider_auth' || error.params['secret'] === secretOf[at]) return { next: 'stop_account' }
  // An internal error is a bug in the panel, and a retry would hit it again.
  const passing = error.isRetryable && error.code !== 'internal'
  // Retried without a limit: rate limits are not failures, a registry may take days, resolvers keep DS records for days, and a paid order
  // must not be given up.
  const patient =
    error.code.endsWith('_rate_limited') || error.code === 'registrar_busy' || error.code.startsWith('purchase_') || waitsForDns(error)
  if (!passing || (attempt >= mostAttempts && !patient)) return { next: 'fail' }
  const requested = Number(error.params['retryAfterSeconds'])
  return {
    next: 'wait',
    seconds: Number.isFinite(requested) && requested > 0 ? Math.min(requested, longestWaitSeconds) : Math.min(300, 2 ** attempt),
  }
}

/** The credential is valid although it was refused once: only this item is retried. */
export const decideSpuriousRetry = (attempt: number): RetryDecision =>
  attempt >= mostAttempts ? { next: 'fail' } : { next: 'wait', seconds: 2 ** attempt }
