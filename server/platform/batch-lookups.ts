/**
 * Combines look-ups made in the same event-loop turn into one call of `load`. A result is never used for a look-up made after `load`
 * started, so no caller gets data older than its request.
 */
export function batchLookups<T>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  let waiting: { readonly keys: Set<string>; readonly answer: Promise<ReadonlyMap<string, T>> } | null = null
  return async (key) => {
    if (waiting === null) {
      const keys = new Set<string>()
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        waiting = null
        return load([...keys])
      })
      waiting = { keys, answer }
    }
    waiting.keys.add(key)
    return (await waiting.answer).get(key)
  }
}
