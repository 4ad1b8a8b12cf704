import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { addIpRulesInput, addIpRulesOutput } from '#shared/features/domains/ip-access/schema.ts'
import { parseIpAccessValue } from '#shared/features/domains/ip-access/values.ts'
import type { IpAccessValue } from '#shared/features/domains/ip-access/values.ts'
import type { RuleExpiry } from './rule-expiry.ts'
import type { IpRuleChange, SentIpRules } from './send-ip-rules.ts'

type Added = Omit<z.output<typeof addIpRulesInput>, 'id'>
/** Operations of earlier versions of the panel have no duration. */
type Expiring = Pick<Added, 'expiresAt'> & Partial<Pick<Added, 'expiresInSeconds'>>

/** Each value once, in its canonical form; the schema has checked them. */
export function valuesOf(values: readonly string[]): IpAccessValue[] {
  const parsed = values.flatMap((text) => {
    const value = parseIpAccessValue(text)
    return 'issue' in value ? [] : [value]
  })
  return [...new Map(parsed.map((each) => [`${each.target} ${each.value}`, each])).values()]
}

/** @throws AppError ip_access_expired */
export function parseExpiry(expiresAt: string | null, nowMs: number): Date | null {
  if (expiresAt === null) return null
  const at = new Date(expiresAt)
  if (at.getTime() <= nowMs) throw new AppError('ip_access_expired')
  return at
}

/**
 * When added rules expire.
 * @param since the beginning of the first attempt
 * @throws AppError validation_failed for both a time and a duration
 */
export function expiryOf({ expiresAt, expiresInSeconds }: Expiring, since: Date): RuleExpiry {
  if (expiresInSeconds == null) return expiresAt === null ? null : new Date(expiresAt)
  if (expiresAt === null) return { afterMs: expiresInSeconds * 1_000, since }
  throw new AppError('validation_failed', { issues: [{ path: 'expiresInSeconds', message: 'ip_access_two_expiries' }] })
}

/** @throws AppError ip_access_expired, validation_failed */
export function creationsOf({ values, mode, note, ...expiring }: Added, nowMs: number): IpRuleChange[] {
  parseExpiry(expiring.expiresAt, nowMs)
  const expiry = expiryOf(expiring, new Date(nowMs))
  return valuesOf(values).map((value) => ({ kind: 'create', rule: { ...value, mode, note, expiry } }))
}

export const changeResult = ({
  made,
  unchanged,
  heldBack,
}: SentIpRules): Pick<z.output<typeof addIpRulesOutput>, 'added' | 'unchanged' | 'conflicts'> => ({
  added: made.length,
  unchanged,
  conflicts: heldBack.map(({ rule: { value, mode } }) => ({ value, mode })),
})
