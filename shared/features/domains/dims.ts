/**
 * A zone's filterable properties packed into one integer, `zones.dims`, so that counts for any combination of filters are sums over a few hundred
 * rows. The generated column in `server/db/schema/zones.ts` must match this layout.
 */
export interface Dim {
  readonly shift: number
  readonly mask: number
  /** The value by its number; '' means unknown. */
  readonly values: readonly string[]
}

export const dims = {
  status: { shift: 0, mask: 3, values: ['active', 'pending', 'error', 'initializing'] },
  ssl: { shift: 2, mask: 7, values: ['', 'off', 'flexible', 'full', 'strict', 'origin_pull', '', 'other'] },
  https: { shift: 5, mask: 3, values: ['', 'disabled', 'enabled'] },
  securityLevel: { shift: 7, mask: 7, values: ['', 'off', 'essentially_off', 'low', 'medium', 'high', 'under_attack', 'other'] },
  tlsMin: { shift: 10, mask: 7, values: ['', '1.0', '1.1', '1.2', '1.3', '', '', 'other'] },
  health: { shift: 13, mask: 3, values: ['ok', 'warnings', 'critical', 'unknown'] },
  tracker: { shift: 16, mask: 3, values: ['none', 'KEITARO', 'BINOM'] },
} as const satisfies Record<string, Dim>

export type DimName = keyof typeof dims
export const dimNames = Object.keys(dims) as DimName[]

/** Records or settings of the zone have not been read yet. */
export const detailsPendingBit = 1 << 15

/** The number of a property, used for sorting. */
export const unpackDim = (name: DimName, packed: number): number => (packed >> dims[name].shift) & dims[name].mask

/** The same as a SQL expression over a column; indexes of `zones` use exactly these expressions. */
export const dimSql = (name: DimName, column: string): string => {
  const { shift, mask } = dims[name]
  return shift === 0 ? `(${column} & ${mask})` : `((${column} >> ${shift}) & ${mask})`
}

export const dimValue = (name: DimName, packed: number): string => dims[name].values[unpackDim(name, packed)] ?? ''

/** Whether a filter accepts a value; `on` is every known SSL mode except off. */
const accepts = (wanted: string, value: string): boolean => (wanted === 'on' ? value !== '' && value !== 'off' : value === wanted)

export const dimMatches = (name: DimName, wanted: string, packed: number): boolean => accepts(wanted, dimValue(name, packed))

/** The numbers that a filter accepts. */
export const numbersOfFilter = (name: DimName, wanted: string): readonly number[] =>
  dims[name].values.flatMap((value, number) => (accepts(wanted, value) ? [number] : []))
