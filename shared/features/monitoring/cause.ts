import type { ReasonCode } from './reasons.ts'

/** What several incidents may share: an account, an origin's address, a registrar, or only what is wrong. */
export type Cause =
  | { readonly kind: 'account' | 'registrar'; readonly id: string }
  | { readonly kind: 'origin'; readonly address: string }
  /** A code that this version does not know is one, too. */
  | { readonly kind: 'code'; readonly code: string }

export const causeStart = { account: 'account:', registrar: 'registrar:', origin: 'origin:', code: 'code:' } as const satisfies Record<
  Cause['kind'],
  `${string}:`
>

/** As it is stored, and as clients name it. */
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

/** What it is called where nobody knows a name. */
export function causeValue(stored: string): string {
  const cause = readCause(stored)
  return cause.kind === 'origin' ? cause.address : cause.kind === 'code' ? cause.code : cause.id
}
