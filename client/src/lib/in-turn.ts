/** The last work of each key that is not finished. */
const last = new Map<string, Promise<unknown>>()

/** Runs the work of one key one after another, in the order of the calls, also after one that failed; different keys do not wait. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
  last.set(key, mine)
  try {
    return await mine
  } finally {
    if (last.get(key) === mine) last.delete(key)
  }
}
