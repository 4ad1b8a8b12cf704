/** Runs the work of one key one after another in this process, and that of different keys concurrently. */
export function createSerializer(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, settled)
    try {
      return await mine
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}
