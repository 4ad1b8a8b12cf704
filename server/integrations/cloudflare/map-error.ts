import { AppError } from '#shared/errors/app-error.ts'
import type { ProviderWords } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { WireError } from './wire.ts'

/** Wrong or missing credentials. */
const authCodes = new Set(['9103', '9106', '9109', '10000', '6102', '6103', '6111'])
/** With 403: a valid key without permission for this change. */
const mayNot = '10000'
const notFoundCodes = new Set(['7003', '81044'])

/** 50001 and 20217 with their texts, because other services of Cloudflare use the same numbers. */
const quotaWords = 'exceeded the maximum number of rules in the phase'
const rulesetExistsWords = 'exceeded maximum number of zone rulesets for phase'
const ipRuleExistsWords = 'firewallaccessrules.api.duplicate_of_existing'

/** Of Origin CA, whose numbers other services of Cloudflare use as well. */
const noCertificateWords = 'failed to read certificate from database'
const mayNotWords = 'user is not authorized to perform this action'

/** Longer ones would lose their end in the rate-limited client. */
const longestMessage = 2_000

interface Refusal {
  readonly status: number
  readonly errors: readonly WireError[]
  readonly retryAfterSeconds: number | null
}

/** Maps a Cloudflare error to an AppError, which keeps the provider's code and text. */
export function mapRefusal({ status, errors, retryAfterSeconds }: Refusal): AppError {
  const words = wordsOf(errors)
  const codes = errors.flatMap(codesOf)
  const code = codeOf(status, codes, words?.message ?? '')
  const params = code === 'provider_rate_limited' ? { retryAfterSeconds: retryAfterSeconds ?? 60 } : { status }
  return new AppError(code, { params, ...(words === null ? {} : { provider: words }) })
}

function codeOf(status: number, codes: readonly string[], message: string): ErrorCode {
  const words = message.toLowerCase()
  if (status === 429) return 'provider_rate_limited'
  if (status >= 500) return 'provider_unavailable'
  if (codes.includes('1016') && words.startsWith(mayNotWords)) return 'provider_forbidden'
  if (status === 401) return 'provider_auth'
  // The key is valid, but the resource belongs to someone else.
  if (codes.includes('9109') && message.startsWith('Unauthorized to access')) return 'provider_forbidden'
  if (status === 403 && codes.every((code) => code === mayNot)) return 'provider_forbidden'
  if (codes.some((code) => authCodes.has(code))) return 'provider_auth'
  if (status === 403) return 'provider_forbidden'
  if (codes.includes('1101') && words.startsWith(noCertificateWords)) return 'provider_not_found'
  if (status === 404 || codes.some((code) => notFoundCodes.has(code))) return 'provider_not_found'
  if (message.includes(quotaWords)) return 'rule_quota_reached'
  if (message.includes(rulesetExistsWords)) return 'conflict'
  if (message.includes(ipRuleExistsWords)) return 'ip_access_exists'
  return 'provider_rejected'
}

const codesOf = (error: WireError): string[] => [
  ...(error.code === null || error.code === undefined ? [] : [String(error.code)]),
  ...(error.error_chain ?? []).flatMap(codesOf),
]

/** `Invalid request headers (6103: Invalid format for X-Auth-Key header)`; further errors follow after a semicolon. */
function wordsOf(errors: readonly WireError[]): ProviderWords | null {
  const [first, ...others] = errors
  if (first === undefined) return null
  const text = [textOf(first), ...others.map((error) => `${error.code ?? ''} ${textOf(error)}`.trim())]
    .filter((part) => part !== '')
    .join('; ')
  const pointer = first.source?.pointer ?? null
  return {
    ...(first.code === null || first.code === undefined ? {} : { code: String(first.code) }),
    message: shortened(text),
    ...(pointer === null ? {} : { pointer }),
  }
}

function textOf(error: WireError): string {
  const chain = (error.error_chain ?? []).map((inner) => `${inner.code ?? ''}: ${textOf(inner)}`)
  return `${error.message ?? ''}${chain.length === 0 ? '' : ` (${chain.join(', ')})`}`.trim()
}

/** A refused expression is repeated before the reason, so a long text is shortened in the middle. */
function shortened(text: string): string {
  return text.length <= longestMessage ? text : `${text.slice(0, 500)} … ${text.slice(600 - longestMessage)}`
}
