const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

/**
 * Path of the first text that PostgreSQL cannot store: with NUL or an unpaired surrogate, also in keys. Null if there is none. Only for
 * input of limited depth.
 */
export function findUnstorableText(input: unknown): string | null {
  const path = find(input)
  return path === null ? null : path.toReversed().join('.')
}

/** From the inside out: a path is built only for a fault, not for each of a million texts. */
function find(value: unknown): string[] | null {
  if (typeof value === 'string') return isUnstorable(value) ? [] : null
  if (typeof value !== 'object' || value === null) return null
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value) && isUnstorable(key)) return []
    const found = find((value as Record<string, unknown>)[key])
    if (found !== null) return [...found, key]
  }
  return null
}
