import { z } from 'zod'
import type { HostedIpRule } from '#server/ports/dns-host.ts'
import { ipRule } from '#shared/features/domains/ip-access/schema.ts'
import type { IpRule, LoggedIpRule } from '#shared/features/domains/ip-access/schema.ts'

/** The rules as they are in the mirror; their expiries have a table of their own. */
export const storedIpRules = z.array(ipRule.omit({ expiresAt: true }))
export type StoredIpRule = z.infer<typeof storedIpRules>[number]

export interface IpRuleMirror {
  readonly rules: readonly StoredIpRule[]
  readonly readAt: Date
}

/** When the panel deletes rules, by their ids. */
export type Expiries = ReadonlyMap<string, Date>

export const toStoredIpRule = ({ ruleId, createdAt, ...rule }: HostedIpRule): StoredIpRule => ({
  id: ruleId,
  ...rule,
  createdAt: createdAt?.toISOString() ?? null,
})

export const toIpRule = (rule: StoredIpRule, expiries: Expiries): IpRule => ({
  ...rule,
  expiresAt: expiries.get(rule.id)?.toISOString() ?? null,
})

export const toLogged = ({ id, mode, target, value, note }: StoredIpRule, expiresAt: Date | null): LoggedIpRule => ({
  id,
  mode,
  target,
  value,
  note,
  expiresAt: expiresAt?.toISOString() ?? null,
})

export interface IpRuleDifference {
  readonly subject: 'ip_rule'
  readonly key: string
  readonly label: string
  readonly before: LoggedIpRule | null
  readonly after: LoggedIpRule | null
}

/** `block 203.0.113.0/24` */
export const labelOf = ({ mode, value }: Pick<StoredIpRule, 'mode' | 'value'>): string => `${mode} ${value}`

export function differenceOf(before: LoggedIpRule | null, after: LoggedIpRule | null): IpRuleDifference | null {
  const shown = after ?? before
  return shown === null ? null : { subject: 'ip_rule', key: shown.id, label: labelOf(shown), before, after }
}

const isSame = (one: StoredIpRule, other: StoredIpRule) => one.mode === other.mode && one.note === other.note && one.value === other.value

/** What happened between two readings. */
export function differencesOf(before: readonly StoredIpRule[], after: readonly StoredIpRule[], expiries: Expiries): IpRuleDifference[] {
  const [was, is] = [new Map(before.map((rule) => [rule.id, rule])), new Map(after.map((rule) => [rule.id, rule]))]
  const logged = (rule: StoredIpRule | undefined) => (rule === undefined ? null : toLogged(rule, expiries.get(rule.id) ?? null))
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id) => {
    const [one, other] = [was.get(id), is.get(id)]
    if (one !== undefined && other !== undefined && isSame(one, other)) return []
    return differenceOf(logged(one), logged(other)) ?? []
  })
}
