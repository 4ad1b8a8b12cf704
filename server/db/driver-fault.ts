import { isDatabaseAway } from '#server/platform/database-away.ts'

/**
 * What the driver (postgres 3.4.9) throws where nobody can catch it when a connection ends. Both are harmless: whoever waits for a statement hears of
 * it, or it is sent on the next connection.
 * - It may write to a connection in the moment after it was closed (https://github.com/porsager/postgres/issues/1154).
 * - It asks for the array types on a new connection, and nobody waits for that answer.
 */
export function isDriverFault(error: unknown): boolean {
  if (error instanceof TypeError) {
    const lines = (error.stack ?? '').split('\n')
    return lines.some((line) => line.includes('nextWrite') && /[\\/]postgres[\\/]/.test(line) && line.includes('connection.js'))
  }
  return isDatabaseAway(error) && error instanceof Error && 'query' in error && String(error.query).includes('pg_catalog.pg_type a')
}
