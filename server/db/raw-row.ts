import type { Table } from 'drizzle-orm'

/** Instants come as PostgreSQL writes them; whether there is one is kept. */
type AsWritten<V> = V extends Date ? string : V

/** Columns of a table as a statement by hand answers them: the driver gives them the names of the schema. */
export type RawRow<T extends Table, C extends keyof T['$inferSelect']> = { [K in C]: AsWritten<T['$inferSelect'][K]> }

/** Of a table that an outer join may not find. */
export type Joined<T extends Table, C extends keyof T['$inferSelect']> = { [K in C]: AsWritten<T['$inferSelect'][K]> | null }
