/** Whether PostgreSQL ended a transaction because it and another one waited for each other: done again, it goes through. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === '40P01') || isDeadlock(error.cause)
}
