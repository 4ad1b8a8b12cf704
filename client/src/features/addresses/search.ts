import type { OriginAddress } from '#shared/features/addresses/schema.ts'

export const addressTypes = ['A', 'AAAA', 'CNAME'] as const satisfies readonly OriginAddress['type'][]

/** What the page of addresses keeps in its own address. */
export interface AddressesSearch {
  q?: string
  type?: OriginAddress['type']
}

/** Reads anything at all; what is not understood is left out. */
export function parseAddressesSearch(raw: unknown): AddressesSearch {
  const part = (key: string): unknown => (typeof raw === 'object' && raw !== null ? new Map(Object.entries(raw)).get(key) : undefined)
  const q = part('q')
  // The router has read a number out of the address where there was one.
  const text = typeof q === 'string' ? q : typeof q === 'number' ? String(q) : ''
  const type = addressTypes.find((each) => each === part('type'))
  return { ...(text !== '' && { q: text.slice(0, 255) }), ...(type && { type }) }
}
