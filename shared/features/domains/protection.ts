import type { Dim } from './dims.ts'
import { aiBotChoices, dnssecStatuses } from './settings/choices.ts'

const onOff = ['', 'disabled', 'enabled'] as const

/**
 * The bot settings and the DNSSEC status of a zone, packed into one integer, `zones.protection`, which an index finds. They are not part of `dims`:
 * their combinations would multiply the rows that every count sums.
 */
export const protection = {
  botFightMode: { shift: 0, mask: 3, values: onOff },
  aiBots: { shift: 2, mask: 7, values: ['', ...aiBotChoices, 'other'] },
  aiLabyrinth: { shift: 5, mask: 3, values: onOff },
  managedRobotsTxt: { shift: 7, mask: 3, values: onOff },
  dnssec: { shift: 9, mask: 7, values: ['', ...dnssecStatuses, 'other'] },
} as const satisfies Record<string, Dim>

export type ProtectionName = keyof typeof protection
export const protectionNames = Object.keys(protection) as ProtectionName[]
export type ProtectionFilter = { readonly [name in ProtectionName]?: string | undefined }

/** Some of the properties: their bits, and which bits those are. */
export interface ProtectionPart {
  readonly bits: number
  readonly mask: number
}

/** Packs the given properties: '' means unknown, and a value that the panel does not know is `other`. */
export function packProtection(known: ProtectionFilter): ProtectionPart {
  let [bits, mask] = [0, 0]
  for (const name of protectionNames) {
    const value = known[name]
    if (value === undefined) continue
    const { shift, mask: own, values }: Dim = protection[name]
    const number = values.indexOf(value)
    bits |= (number < 0 ? values.indexOf('other') : number) << shift
    mask |= own << shift
  }
  return { bits, mask }
}

/** A property by its value; null if it was not read. */
export function unpackProtection(name: ProtectionName, packed: number): string | null {
  const { shift, mask, values }: Dim = protection[name]
  return values[(packed >> shift) & mask] || null
}

/** The same of a property that is on or off. */
export function isProtected(name: ProtectionName, packed: number): boolean | null {
  const value = unpackProtection(name, packed)
  return value === null ? null : value === 'enabled'
}

/** Every packed value that the filter accepts: exact positions in an index. */
export function protectionNumbers(filter: ProtectionFilter): readonly number[] {
  return protectionNames.reduce<readonly number[]>(
    (packed, name) => {
      const { shift, values }: Dim = protection[name]
      const accepted = values.flatMap((value, number) => (filter[name] === undefined || filter[name] === value ? [number << shift] : []))
      return packed.flatMap((bits) => accepted.map((more) => bits | more))
    },
    [0],
  )
}
