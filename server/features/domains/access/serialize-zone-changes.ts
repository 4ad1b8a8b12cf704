const last = new Map<string, Promise<unknown>>()

/**
 * Runs the changes of one zone one after another in this process, so that each compares with what the one before left. Between
 * processes the comparison with the mirror at the end decides.
 */
export async function serializeZoneChanges<T>(zoneId: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(zoneId) ?? Promise.resolve()
  const mine = before.then(work, work)
  const settled = mine.then(
    () => undefined,
    () => undefined,
  )
  last.set(zoneId, settled)
  try {
    return await mine
  } finally {
    if (last.get(zoneId) === settled) last.delete(zoneId)
  }
}
