import type { AppError } from '#shared/errors/app-error.ts'

/** The result of an item after a refusal. */
export type RetryDecision =
  | { readonly next: 'fail' }
  /** Tried again on its own. */
  | { readonly next: 'wait'; readonly seconds: number }
  /** The whole account, tracker or registrar is stopped: the others of its items would meet the same. */
  | { readonly next: 'stop_account' }

const mostAttempts = 6
/** A provider that names a time further ahead is asked again after this. */
const longestWaitSeconds = 3600
/** The provider's codes for what waiting or another account helps against. */
const tooManyTries = '1105'
const tooManyPending = '1118'
const mayNotAdd = '1106'
const bannedForNow = '1098'
const oneHour = 3600
const threeHours = 3 * 3600

/** What every other domain would meet at this tracker too. */
const ofTheTracker: ReadonlySet<string> = new Set([
  'tracker_auth',
  'tracker_edition',
  'tracker_not_one',
  'tracker_private',
  'tracker_disabled',
])

/** What every other name would meet at this registrar too. */
const ofTheRegistrar: ReadonlySet<string> = new Set(['registrar_auth', 'registrar_address', 'registrar_forbidden'])
const secretOf = { account: 'account_key', tracker: 'tracker_key', registrar: 'registrar_credential' } as const

/**
 * @param attempt 1 at the first try
 * @param at where the item is done: what stops there
 */
export function decideRetry(error: AppError, attempt: number, at: keyof typeof secretOf = 'account'): RetryDecision {
  if (at === 'tracker' && ofTheTracker.has(error.code)) return { next: 'stop_account' }
  if (at === 'registrar' && ofTheRegistrar.has(error.code)) return { next: 'stop_account' }
  if (error.provider?.code === tooManyPending || error.provider?.code === mayNotAdd) return { next: 'stop_account' }
  if (error.provider?.code === tooManyTries) return attempt > 2 ? { next: 'fail' } : { next: 'wait', seconds: threeHours }
  if (error.provider?.code === bannedForNow) return attempt > 2 ? { next: 'fail' } : { next: 'wait', seconds: oneHour }
  if (error.code === 'provider_auth' || error.params['secret'] === secretOf[at]) return { next: 'stop_account' }
  // An internal error is a fault of ours, which the next try would meet too.
  const passing = error.isRetryable && error.code !== 'internal'
  // A limit is no fault, a registry takes its days, and what was paid for is not given up: they are waited for as often as it takes.
  const patient = error.code.endsWith('_rate_limited') || error.code === 'registrar_busy' || error.code.startsWith('purchase_')
  if (!passing || (attempt >= mostAttempts && !patient)) return { next: 'fail' }
  const requested = Number(error.params['retryAfterSeconds'])
  return {
    next: 'wait',
    seconds: Number.isFinite(requested) && requested > 0 ? Math.min(requested, longestWaitSeconds) : Math.min(300, 2 ** attempt),
  }
}

/** The credential was refused once and is valid: only this item is tried again. */
export const decideSpuriousRetry = (attempt: number): RetryDecision =>
  attempt >= mostAttempts ? { next: 'fail' } : { next: 'wait', seconds: 2 ** attempt }
