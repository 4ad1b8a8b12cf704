import type { OriginAddress } from '#shared/features/addresses/schema.ts'

export const addressTypes = ['A', 'AAAA', 'CNAME'] as const satisfies readonly OriginAddress['type'][]

/** What the page of addresses keeps in its own address. */
interface AddressesSearch {
  q?: string
  type?: OriginAddress['type']
  /** The address whose domains are to be moved: its dialog is open. */
  move?: string
  /** Of `move`: only domains of this owner. */
  owner?: string
}

/** Reads anything at all; what is not understood is left out. */
export function parseAddressesSearch(raw: unknown): AddressesSearch {
  const part = (key: string): unknown => (typeof raw === 'object' && raw !== null ? new Map(Object.entries(raw)).get(key) : undefined)
  // The router has read a number out of the address where there was one.
  const text = (key: string): string => {
    const value = part(key)
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  }
  const type = addressTypes.find((each) => each === part('type'))
  const [q, move, owner] = [text('q').slice(0, 255), text('move').slice(0, 255), text('owner').slice(0, 36)]
  return { ...(q !== '' && { q }), ...(type && { type }), ...(move !== '' && { move, ...(owner !== '' && { owner }) }) }
}
