import type { ReasonCode } from './reasons.ts'

/** What several incidents can have in common: an account, an origin address, a registrar, or only the reason code. */
export type Cause =
  | { readonly kind: 'account' | 'registrar'; readonly id: string }
  | { readonly kind: 'origin'; readonly address: string }
  /** A code unknown to this version is also valid. */
  | { readonly kind: 'code'; readonly code: string }

export const causeStart = { account: 'account:', registrar: 'registrar:', origin: 'origin:', code: 'code:' } as const satisfies Record<
  Cause['kind'],
  `${string}:`
>

/** The stored form, also used by clients. */
export const causes = {
  account: (id: string) => causeStart.account + id,
  registrar: (id: string) => causeStart.registrar + id,
  origin: (address: string) => causeStart.origin + address,
  code: (code: ReasonCode) => causeStart.code + code,
} as const satisfies Record<Cause['kind'], (value: never) => string>

export function readCause(stored: string): Cause {
  const at = stored.indexOf(':')
  const [kind, value] = [stored.slice(0, at), stored.slice(at + 1)]
  if (kind === 'account' || kind === 'registrar') return { kind, id: value }
  return kind === 'origin' ? { kind, address: value } : { kind: 'code', code: value }
}

/** The label if no name is known. */
export function causeValue(stored: string): string {
  const cause = readCause(stored)
  return cause.kind === 'origin' ? cause.address : cause.kind === 'code' ? cause.code : cause.id
}
