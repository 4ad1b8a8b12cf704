import type { Sort } from './data-table.types.ts'

type Keys<Row> = Readonly<Record<string, (row: Row) => string | number>>

/** For fully loaded lists; equal rows are sorted by name. */
export function sortRows<Row>(
  rows: readonly Row[],
  { key, direction }: Sort,
  keys: Keys<Row>,
  nameOf: (row: Row) => string,
): readonly Row[] {
  const value = keys[key] ?? nameOf
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    return left === right ? nameOf(a).localeCompare(nameOf(b)) : left < right ? -sign : sign
  })
}
