/** Rows by column, so that neither names nor equal values are repeated for each row. */
export interface PackedRows<Row> {
  readonly count: number
  /** Values that all rows have in common. */
  readonly same: Partial<Row>
  readonly columns: { readonly [K in keyof Row]?: readonly Row[K][] }
  /** Columns of few values: the values, and for each row the index of its own, as one digit of base 36 if that is enough. */
  readonly choices: { readonly [K in keyof Row]?: { readonly values: readonly Row[K][]; readonly rows: readonly number[] | string } }
  /** Columns of ISO timestamps, as milliseconds since 1970. */
  readonly times: { readonly [K in keyof Row]?: readonly (number | null)[] }
}

/** Columns that are packed more tightly than as a list of their values. */
interface Packing<Row> {
  /** Values repeat: objects that are the same object, or texts. */
  readonly fewValued: ReadonlySet<keyof Row>
  /** ISO timestamps with milliseconds, or null. */
  readonly times: ReadonlySet<keyof Row>
}

/** The largest base of `toString` and `parseInt`. */
const base = 36

export function packRows<Row extends object>(rows: readonly Row[], names: readonly (keyof Row)[], packing: Packing<Row>): PackedRows<Row> {
  const same: Partial<Row> = {}
  const columns: { [K in keyof Row]?: Row[K][] } = {}
  const choices: { [K in keyof Row]?: { values: Row[K][]; rows: number[] | string } } = {}
  const times: { [K in keyof Row]?: (number | null)[] } = {}
  const [first] = rows
  if (first === undefined) return { count: 0, same, columns, choices, times }
  for (const name of names) {
    const value = first[name]
    if (rows.every((row) => row[name] === value)) same[name] = value
    else if (packing.times.has(name)) times[name] = rows.map((row) => (row[name] === null ? null : Date.parse(String(row[name]))))
    else if (packing.fewValued.has(name)) {
      const indexes = new Map<Row[typeof name], number>()
      const chosen = rows.map((row) => {
        const index = indexes.get(row[name]) ?? indexes.size
        indexes.set(row[name], index)
        return index
      })
      const isShort = indexes.size <= base
      choices[name] = { values: [...indexes.keys()], rows: isShort ? chosen.map((index) => index.toString(base)).join('') : chosen }
    } else columns[name] = rows.map((row) => row[name])
  }
  return { count: rows.length, same, columns, choices, times }
}

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

export function unpackRows<Row extends object>({ count, same, columns, choices, times }: PackedRows<Row>): Row[] {
  const rows = Array.from({ length: count }, (): Partial<Row> => ({ ...same }))
  for (const name of Object.keys(columns) as (keyof Row)[]) {
    const values = columns[name] ?? []
    for (const [at, row] of rows.entries()) row[name] = values[at]
  }
  for (const name of Object.keys(choices) as (keyof Row)[]) {
    const choice = choices[name]
    if (choice === undefined) continue
    const indexes = typeof choice.rows === 'string' ? Array.from(choice.rows, (digit) => parseInt(digit, base)) : choice.rows
    for (const [at, row] of rows.entries()) row[name] = choice.values[indexes[at] ?? 0]
  }
  for (const name of Object.keys(times) as (keyof Row)[]) {
    const values = times[name] ?? []
    for (const [at, row] of rows.entries()) row[name] = isoOf(values[at] ?? null) as Row[typeof name]
  }
  return rows as Row[]
}
