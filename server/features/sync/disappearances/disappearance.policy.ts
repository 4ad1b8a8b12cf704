/** More than so many at a time, and more than this share of what was known, are not believed to be gone after one list. */
const believed = { count: 20, share: 0.05 }

export const isMassDisappearance = (missing: number, known: number): boolean =>
  missing > Math.max(believed.count, Math.floor(known * believed.share))

/** So many of the missing are asked for one by one. */
export const sampleSize = 20

/** The list that confirms a disappearance is read at least so long after the one that found it. */
export const secondListSeconds = 600

/** Some of `keys` by chance, `sampleSize` at most. */
export function pickSample(keys: readonly string[], random: () => number = Math.random): string[] {
  const left = [...keys]
  const selected: string[] = []
  while (selected.length < sampleSize && left.length > 0) selected.push(...left.splice(Math.floor(random() * left.length), 1))
  return selected
}
