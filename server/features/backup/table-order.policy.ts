interface Table {
  readonly name: string
  readonly refersTo: readonly string[]
}

/**
 * Each table after those it references, so that rows can be restored with foreign keys in place.
 * @throws Error for circular references
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
