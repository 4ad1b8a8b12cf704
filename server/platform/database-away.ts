/** PostgreSQL going away, coming up or full; the driver's; the network's. */
const awayCodes =
  /^(08...|25P03|57P0[1235]|53300|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/

/** Whether a statement failed because the database could not be reached: it may work later as it is. For errors of statements only. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && awayCodes.test(error.code)) return true
  return isDatabaseAway(error.cause)
}
