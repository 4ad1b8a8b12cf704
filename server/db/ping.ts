import postgres from 'postgres'

interface Ping {
  answers(): Promise<boolean>
  close(): Promise<void>
}

/** A database without a response for this long counts as unavailable. */
const patienceMs = 2_000

/** 1 if the database responds, on a separate connection, because all others may be busy. Concurrent callers share the result. */
export function createPing(options: postgres.Options<Record<string, never>>): Ping {
  const sql = postgres({
    ...options,
    max: 1,
    fetch_types: false,
    idle_timeout: 30,
    connect_timeout: patienceMs / 1000,
  })
  let asked: Promise<boolean> | null = null
  async function ask(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), patienceMs)
    try {
      return await Promise.race([
        sql`select 1`.then(
          () => true,
          () => false,
        ),
        late.promise,
      ])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    answers: () => (asked ??= ask().finally(() => (asked = null))),
    close: () => sql.end({ timeout: 1 }),
  }
}
