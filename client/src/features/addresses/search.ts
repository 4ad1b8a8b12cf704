import type { OriginAddress } from '#shared/features/addresses/schema.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'

export const addressTypes = ['A', 'AAAA', 'CNAME'] as const satisfies readonly OriginAddress['type'][]

/** The URL parameters of the addresses page. */
interface AddressesSearch {
  q?: string
  type?: OriginAddress['type']
  /** The address whose domains will be moved: its dialog is open. */
  move?: string
  /** For `move`: only domains of this owner. */
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
