import type { Sort } from '#client/ui/table/data-table.types.ts'
import { isPriced, currentOffer, type Choices, type OfferRow } from './offers.ts'
import type { RowFilter } from './search.ts'

/** Names that no registrar sells are treated as unknown. */
export const filterOf = ({ state }: OfferRow): RowFilter | null =>
  state === 'waiting' ? null : state === 'unsupported' || state === 'unknown' ? 'unknown' : state

const far = Number.POSITIVE_INFINITY
/** The sort price of a row; names that are not sold sort last. */
const priceIn = (row: OfferRow, key: string, choices: Choices): number => {
  if (key === 'renewal') return currentOffer(row, choices)?.offer.renewal?.minor ?? far
  const offer = row.offers.get(key)
  return isPriced(offer) ? offer.price.minor / offer.years : far
}

/** Rows in a state whose name contains the text, sorted by `name`, `renewal` or the price of a registrar. */
export function filterRows(
  rows: readonly OfferRow[],
  {
    show,
    text,
    sort,
    choices,
  }: { readonly show: RowFilter; readonly text: string; readonly sort: Sort | undefined; readonly choices: Choices },
): readonly OfferRow[] {
  const part = text.trim().toLowerCase()
  const found = rows.filter((row) => (show === 'all' || filterOf(row) === show) && row.displayName.includes(part))
  if (sort === undefined) return found
  const sign = sort.direction === 'asc' ? 1 : -1
  return found.toSorted((one, other) => {
    if (sort.key === 'name') return sign * one.displayName.localeCompare(other.displayName)
    const [a, b] = [priceIn(one, sort.key, choices), priceIn(other, sort.key, choices)]
    return a === b ? one.displayName.localeCompare(other.displayName) : a === far ? 1 : b === far ? -1 : sign * (a - b)
  })
}
