interface Table {
  readonly name: string
  readonly refersTo: readonly string[]
}

/**
 * Each table behind those that it refers to, so that rows can be put back without touching foreign keys.
 * @throws Error where tables refer to each other in a circle
 */
export function inOrder<T extends Table>(tables: readonly T[]): T[] {
  const placed = new Set<string>()
  const ordered: T[] = []
  let left = [...tables]
  while (left.length > 0) {
    const ready = left.filter(({ refersTo }) => refersTo.every((name) => placed.has(name)))
    if (ready.length === 0) throw new Error(`these tables reference each other in a cycle: ${left.map(({ name }) => name).join(', ')}`)
    for (const table of ready) placed.add(table.name)
    ordered.push(...ready)
    left = left.filter(({ name }) => !placed.has(name))
  }
  return ordered
}
