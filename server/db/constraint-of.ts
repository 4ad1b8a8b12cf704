import postgres from 'postgres'

/** The name of the constraint or unique index that a statement broke; null for any other error. */
export function constraintOf(error: unknown): string | null {
  const cause = error instanceof Error && error.cause instanceof postgres.PostgresError ? error.cause : error
  return cause instanceof postgres.PostgresError ? (cause.constraint_name ?? null) : null
}
