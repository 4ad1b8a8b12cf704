import { isDatabaseAway } from '#server/platform/database-away.ts'
import postgres from 'postgres'

/**
 * Errors that the driver (postgres 3.4.9) throws where they cannot be caught when a connection ends. Both are harmless, because waiting
 * callers get an error or their statement is sent on the next connection.
 * - It may write to a connection right after it was closed (https://github.com/porsager/postgres/issues/1154).
 * - It queries the array types on a new connection, and nothing awaits that result.
 */
export function isDriverFault(error: unknown): boolean {
  if (error instanceof TypeError) {
    const lines = (error.stack ?? '').split('\n')
    return lines.some((line) => line.includes('nextWrite') && /[\\/]postgres[\\/]/.test(line) && line.includes('connection.js'))
  }
  return isDatabaseAway(error) && error instanceof Error && 'query' in error && String(error.query).includes('pg_catalog.pg_type a')
}

/** The constraint or unique index violated by a statement; null for any other error. */
export function constraintOf(error: unknown): string | null {
  const cause = error instanceof Error && error.cause instanceof postgres.PostgresError ? error.cause : error
  return cause instanceof postgres.PostgresError ? (cause.constraint_name ?? null) : null
}

/** A data or constraint error, by SQLSTATE class. */
export const isRefusedRow = (error: unknown): boolean => error instanceof postgres.PostgresError && /^2[23]/.test(error.code)
