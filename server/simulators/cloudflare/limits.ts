import { createRateWindow } from '../rate-window.ts'
import type { RateWindow } from '../rate-window.ts'
import { CloudflareError } from './reply.ts'

export type Budget = { readonly limit: number; readonly windowMs: number }

export type Limits = ReturnType<typeof createLimits>

/** Sent in the headers if there is no limit, so that clients that respect them are not slowed down. */
const UNLIMITED: Budget = { limit: 1_000_000, windowMs: 300_000 }

/** Cloudflare's two limits: calls of a user, over all its credentials, and calls from one IP address. */
export function createLimits(options: { readonly budget: Budget | null; readonly addressLimitPerSecond: number | null }) {
  const { budget, addressLimitPerSecond } = options
  const users = new Map<string, RateWindow>()
  const addresses = new Map<string, RateWindow>()
  const shown = budget ?? UNLIMITED
  const policy = `"default";q=${shown.limit};w=${Math.ceil(shown.windowMs / 1000)}`

  return {
    /** Counts a call on arrival. Above the limit, everything is refused for a whole window. */
    takeUser(key: string, nowMs: number): { readonly headers: Record<string, string>; readonly refusal: CloudflareError | null } {
      if (budget === null) return { headers: { Ratelimit: `"default";r=${shown.limit};t=300`, 'Ratelimit-Policy': policy }, refusal: null }
      const decision = windowOf(users, key, budget.limit, budget.windowMs, budget.windowMs).take(nowMs)
      const seconds = Math.max(1, Math.ceil(decision.resetMs / 1000))
      const headers = { Ratelimit: `"default";r=${decision.remaining};t=${seconds}`, 'Ratelimit-Policy': policy }
      return { headers, refusal: decision.allowed ? null : throttled(10429, 'Rate limited. Please wait and retry later.', seconds) }
    },
    takeAddress(address: string, nowMs: number): void {
      if (addressLimitPerSecond === null) return
      if (!windowOf(addresses, address, addressLimitPerSecond, 1000, 0).take(nowMs).allowed)
        throw throttled(971, 'Please wait and consider throttling your request speed', 1)
    },
  }
}

function windowOf(windows: Map<string, RateWindow>, key: string, limit: number, windowMs: number, blockMs: number): RateWindow {
  const known = windows.get(key)
  if (known !== undefined) return known
  const window = createRateWindow(limit, windowMs, blockMs)
  windows.set(key, window)
  return window
}

export function throttled(code: number, message: string, seconds: number): CloudflareError {
  return new CloudflareError(429, [{ code, message }], { 'retry-after': String(seconds) })
}
