import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'

interface RateHeaders {
  /** Calls left; null if Cloudflare did not report it. */
  readonly left: number | null
  readonly resetMs: number
  readonly policy: BudgetLimit | null
  readonly retryAfterMs: number | null
}

/** Longest retry delay that is accepted. */
const longestMs = 3_600_000
const longestWindowMs = 24 * 3_600_000

/**
 * Parses `Ratelimit: "default";r=50;t=30`, `Ratelimit-Policy: "default";q=1200;w=300` and `retry-after`; of several limits, the tightest.
 */
export function readRateHeaders(headers: HttpAnswer['headers'], nowMs: number): RateHeaders {
  const retryAfterMs = retryAfterOf(text(headers['retry-after']), nowMs)
  const limits = itemsOf(text(headers['ratelimit']))
    .flatMap(({ name, values }) => {
      const left = values.get('r')
      return left === undefined ? [] : [{ name, left, resetMs: Math.min((values.get('t') ?? 0) * 1000, longestMs) }]
    })
    .sort((one, other) => one.left - other.left)
  const tightest = limits[0]
  if (tightest === undefined) return { left: null, resetMs: 0, policy: null, retryAfterMs }
  const policies = itemsOf(text(headers['ratelimit-policy']))
  const policy =
    policies.find(({ name }) => name === tightest.name) ?? (limits.length === 1 && policies.length === 1 ? policies[0] : undefined)
  const limit = policy?.values.get('q') ?? 0
  const windowMs = (policy?.values.get('w') ?? 0) * 1000
  return {
    left: tightest.left,
    resetMs: tightest.resetMs,
    policy: limit >= 1 && windowMs >= 1 && windowMs <= longestWindowMs ? { limit, windowMs } : null,
    retryAfterMs,
  }
}

const text = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : (value ?? ''))

interface Item {
  readonly name: string
  readonly values: ReadonlyMap<string, number>
}

const number = /^\d{1,9}(\.\d+)?$/

function itemsOf(header: string): readonly Item[] {
  return header.split(',').map((item) => {
    const [name = '', ...parameters] = item.split(';')
    const values = new Map<string, number>()
    for (const parameter of parameters) {
      const [key = '', value = ''] = parameter.split('=')
      if (number.test(value.trim())) values.set(key.trim(), Number(value))
    }
    return { name: name.trim().replaceAll('"', ''), values }
  })
}

/** Seconds, or a date. */
function retryAfterOf(value: string, nowMs: number): number | null {
  const ms = number.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), longestMs)
}
