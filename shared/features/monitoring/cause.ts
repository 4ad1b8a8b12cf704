import type { ReasonCode } from './reasons.ts'

/** What several incidents can have in common: an account, an origin address, name servers, a registrar, a tracker, or only the reason code. */
export type Cause =
  | { readonly kind: 'account' | 'registrar' | 'tracker'; readonly id: string }
  | { readonly kind: 'origin'; readonly address: string }
  /** Sorted. */
  | { readonly kind: 'name_servers'; readonly nameServers: readonly string[] }
  /** A code unknown to this version is also valid. */
  | { readonly kind: 'code'; readonly code: string }

export const causeStart = {
  account: 'account:',
  registrar: 'registrar:',
  tracker: 'tracker:',
  origin: 'origin:',
  name_servers: 'name_servers:',
  code: 'code:',
} as const satisfies Record<Cause['kind'], `${string}:`>

/** The stored form, also used by clients. */
export const causes = {
  account: (id: string) => causeStart.account + id,
  registrar: (id: string) => causeStart.registrar + id,
  tracker: (id: string) => causeStart.tracker + id,
  origin: (address: string) => causeStart.origin + address,
  name_servers: (nameServers: readonly string[]) =>
    causeStart.name_servers +
    nameServers
      .map((server) => server.toLowerCase())
      .toSorted()
      .join(','),
  code: (code: ReasonCode) => causeStart.code + code,
} as const satisfies Record<Cause['kind'], (value: never) => string>

/**
 * Incidents about what others did in an account: critical changes and abuse reports. They end when a person has reviewed it; none of its domains has
 * to be down, so there is nothing to mute.
 */
export const isForReview = (cause: string): boolean => cause === causes.code('changed_outside') || cause === causes.code('abuse_reported')

export function readCause(stored: string): Cause {
  const at = stored.indexOf(':')
  const [kind, value] = [stored.slice(0, at), stored.slice(at + 1)]
  if (kind === 'account' || kind === 'registrar' || kind === 'tracker') return { kind, id: value }
  if (kind === 'name_servers') return { kind, nameServers: value.split(',') }
  return kind === 'origin' ? { kind, address: value } : { kind: 'code', code: value }
}

/** The label if no name is known. */
export function causeValue(stored: string): string {
  const cause = readCause(stored)
  switch (cause.kind) {
    case 'origin':
      return cause.address
    case 'name_servers':
      return cause.nameServers.join(', ')
    case 'code':
      return cause.code
    case 'account':
    case 'registrar':
    case 'tracker':
      return cause.id
  }
}
