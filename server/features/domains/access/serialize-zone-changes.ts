const last = new Map<string, Promise<unknown>>()

/**
 * Serializes the changes of one zone in this process, so that each starts from the result of the one before. Between processes the final
 * comparison with the mirror decides.
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
