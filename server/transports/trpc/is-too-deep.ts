/** No input of the panel is nested deeper than a dozen levels. */
const deepest = 32

/** Whether an input is nested so deeply that recursion over it would overflow the stack. */
export function isTooDeep(input: unknown): boolean {
  let level: unknown[] = [input]
  for (let depth = 0; depth <= deepest; depth += 1) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) next.push(inner)
    }
    if (next.length === 0) return false
    level = next
  }
  return true
}
