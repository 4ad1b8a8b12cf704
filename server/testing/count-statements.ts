import type { Database } from '#server/db/client.ts'

/** Counts the statements that a pool sends from now on, by their text. */
export function countStatements({ sql }: Pick<Database, 'sql'>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  sql.options.debug = (_connection, text) => {
    const short = text.replaceAll(/\s+/g, ' ').trim()
    counts.set(short, (counts.get(short) ?? 0) + 1)
  }
  return counts
}
