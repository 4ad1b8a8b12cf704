import { usePhone } from './use-media.ts'
import type { DataTableProps } from './data-table.types.ts'
import { TableCards } from './table-cards.tsx'
import { TableRows } from './table-rows.tsx'

/**
 * The one table of the product: virtual rows by index, of which at most some dozens are in the page whatever `rowCount` is.
 * The caller gives rows as it has them; what is not there yet shows as a skeleton.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const phone = usePhone()
  if (!props.loading && props.rowCount === 0) return props.empty
  return phone ? <TableCards {...props} /> : <TableRows {...props} />
}
