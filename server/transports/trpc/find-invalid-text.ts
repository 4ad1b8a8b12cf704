const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

/**
 * Path of the first text that no database keeps as it was given: one with NUL, or with half a surrogate pair. Looks at
 * keys too. Null where there is none. Only for what is known not to be nested deeply.
 */
export function findUnstorableText(input: unknown): string | null {
  const path = find(input)
  return path === null ? null : path.toReversed().join('.')
}

/** From the inside out: a path is made where there is a fault, not for each of a million texts. */
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
