/**
 * Turns lookups that are asked for in the same turn of the event loop into one call of `load`. An answer is never shared
 * with a question that was asked after `load` began, so nobody gets change events from before they asked.
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
