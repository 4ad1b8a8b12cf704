import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { addIpRulesInput, addIpRulesOutput } from '#shared/features/domains/ip-access/schema.ts'
import { parseIpAccessValue } from '#shared/features/domains/ip-access/values.ts'
import type { IpAccessValue } from '#shared/features/domains/ip-access/values.ts'
import type { IpRuleChange, SentIpRules } from './send-ip-rules.ts'

type Added = Omit<z.output<typeof addIpRulesInput>, 'id'>

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

/** @throws AppError ip_access_expired */
export function creationsOf({ values, mode, note, expiresAt }: Added, nowMs: number): IpRuleChange[] {
  const expires = parseExpiry(expiresAt, nowMs)
  return valuesOf(values).map((value) => ({ kind: 'create', rule: { ...value, mode, note, expiresAt: expires } }))
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
