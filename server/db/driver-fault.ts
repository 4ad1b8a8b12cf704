import { isDatabaseAway } from '#server/platform/database-away.ts'
import postgres from 'postgres'

/**
 * What the driver (postgres 3.4.9) throws where nobody can catch it when a connection ends. Both are harmless: anyone who waits for a statement hears of
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

/** The name of the constraint or unique index that a statement broke; null for any other error. */
export function constraintOf(error: unknown): string | null {
  const cause = error instanceof Error && error.cause instanceof postgres.PostgresError ? error.cause : error
  return cause instanceof postgres.PostgresError ? (cause.constraint_name ?? null) : null
}

/** A fault of data or of a constraint, by its class. */
export const isRefusedRow = (error: unknown): boolean => error instanceof postgres.PostgresError && /^2[23]/.test(error.code)
