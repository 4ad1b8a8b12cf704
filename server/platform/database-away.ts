/** SQLSTATEs of a PostgreSQL that stops, starts or is full, and error codes of the driver and the network. */
const awayCodes =
  /^(08...|25P03|57P0[1235]|53300|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/

const codeOf = (error: Error): string | null => ('code' in error && typeof error.code === 'string' ? error.code : null)

/** Whether a statement failed because the database was unreachable, so a repetition may succeed. Only for errors of statements. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (awayCodes.test(codeOf(error) ?? '')) return true
  return isDatabaseAway(error.cause)
}

/** Seconds after which a refused caller may retry: a restarted database is available by then. */
export const databaseRetrySeconds = 5

/** Disk full, out of memory, or disk failure. */
const lackingCodes: Readonly<Record<string, 'database_full' | 'database_unavailable'>> = {
  '53100': 'database_full',
  '53200': 'database_unavailable',
  '58030': 'database_unavailable',
}

/** The reason of a failure on the database's side; null for any other. A repetition may succeed. */
export function databaseFault(error: unknown): 'database_full' | 'database_unavailable' | null {
  if (!(error instanceof Error)) return null
  if (isDatabaseAway(error)) return 'database_unavailable'
  return lackingCodes[codeOf(error) ?? ''] ?? databaseFault(error.cause)
}

/** Whether PostgreSQL ended the transaction because of a concurrent one (a deadlock, a failed serialization), so a repetition succeeds. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ['40P01', '40001'].includes(codeOf(error) ?? '') || isDeadlock(error.cause)
}
