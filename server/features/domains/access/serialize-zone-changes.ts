const last = new Map<string, Promise<unknown>>()

/**
 * Serializes the changes of one zone in this process, so that each starts from the result of the one before. Between processes the final
 * comparison with the mirror decides.
 */
export async function serializeZoneChanges<T>(domainId: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(domainId) ?? Promise.resolve()
  const mine = before.then(work, work)
  const settled = mine.then(
    () => undefined,
    () => undefined,
  )
  last.set(domainId, settled)
  try {
    return await mine
  } finally {
    if (last.get(domainId) === settled) last.delete(domainId)
  }
}
