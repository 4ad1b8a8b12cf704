import type { Table } from 'drizzle-orm'

/** Timestamps arrive as PostgreSQL text; nullability is kept. */
type AsWritten<V> = V extends Date ? string : V

/** Columns of a table as returned by raw statements: the driver maps them to the schema's names. */
export type RawRow<T extends Table, C extends keyof T['$inferSelect']> = { [K in C]: AsWritten<T['$inferSelect'][K]> }

/** For a table that an outer join may not match. */
export type Joined<T extends Table, C extends keyof T['$inferSelect']> = { [K in C]: AsWritten<T['$inferSelect'][K]> | null }
