import postgres from 'postgres'

/** A fault of data or of a constraint, by its class. */
export const isRefusedRow = (error: unknown): boolean => error instanceof postgres.PostgresError && /^2[23]/.test(error.code)
