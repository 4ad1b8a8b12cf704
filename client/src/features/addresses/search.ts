import type { OriginAddress } from '#shared/features/addresses/schema.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'

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

export function parseAddressesSearch(raw: unknown): AddressesSearch {
  const { text, oneOf } = searchParams(raw)
  const move = text('move')
  return compact<AddressesSearch>({
    q: text('q'),
    type: oneOf('type', addressTypes),
    move,
    owner: move === undefined ? undefined : text('owner', 36),
  })
}
