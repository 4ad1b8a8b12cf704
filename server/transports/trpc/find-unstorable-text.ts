/**
 * Path of the first text that no database keeps as it was given: one with NUL, or with half a surrogate pair. Looks at
 * keys too. Null where there is none.
 */
export function findUnstorableText(input: unknown): string | null {
  const open: [path: string, value: unknown][] = [['', input]]
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [path, value] = entry
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) return path
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (key.includes('\0') || !key.isWellFormed()) return path
        open.push([path === '' ? key : `${path}.${key}`, inner])
      }
    }
  }
  return null
}
