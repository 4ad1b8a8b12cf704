/** PostgreSQL going away, coming up or full; the driver's; the network's. */
const awayCodes =
  /^(08...|25P03|57P0[1235]|53300|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/

const codeOf = (error: Error): string | null => ('code' in error && typeof error.code === 'string' ? error.code : null)

/** Whether a statement failed because the database could not be reached: it may work later as it is. For errors of statements only. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (awayCodes.test(codeOf(error) ?? '')) return true
  return isDatabaseAway(error.cause)
}

/** Anyone who was refused for it may try again after so long: a database that was restarted is there again. */
export const databaseRetrySeconds = 5

/** Its disk is full; it is out of memory, or its disk fails. */
const lackingCodes: Readonly<Record<string, 'database_full' | 'database_unavailable'>> = {
  '53100': 'database_full',
  '53200': 'database_unavailable',
  '58030': 'database_unavailable',
}

/** Why a statement failed for a reason that is the database's own; null for any other. It may work later as it is. */
export function databaseFault(error: unknown): 'database_full' | 'database_unavailable' | null {
  if (!(error instanceof Error)) return null
  if (isDatabaseAway(error)) return 'database_unavailable'
  return lackingCodes[codeOf(error) ?? ''] ?? databaseFault(error.cause)
}

/** Whether PostgreSQL ended a transaction because it and another one waited for each other: done again, it goes through. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === '40P01') || isDeadlock(error.cause)
}
