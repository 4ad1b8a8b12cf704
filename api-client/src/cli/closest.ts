/** The number of different, missing or extra characters (Levenshtein distance). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1]
    for (const [index, theirs] of Array.from(other).entries()) {
      next.push(Math.min((row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1, (row[index] ?? 0) + (letter === theirs ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The word that was probably meant; undefined if none is close enough. */
export function closest(given: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(given.length / 3))
  const [best] = known.map((word) => ({ word, far: distance(given.slice(0, 60), word) })).toSorted((a, b) => a.far - b.far)
  return best !== undefined && best.far <= most ? best.word : undefined
}
