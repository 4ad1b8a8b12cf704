/** More missing zones than both this count and this share of the known ones are not accepted after one list. */
const believed = { count: 20, share: 0.05 }

export const isMassDisappearance = (missing: number, known: number): boolean =>
  missing > Math.max(believed.count, Math.floor(known * believed.share))

/** How many of the missing zones are checked individually. */
export const sampleSize = 20

/** Minimum time between the list that found a disappearance and the one that confirms it. */
export const secondListSeconds = 600

/** A random sample of `keys`, at most `sampleSize`. */
export function pickSample(keys: readonly string[], random: () => number = Math.random): string[] {
  const left = [...keys]
  const selected: string[] = []
  while (selected.length < sampleSize && left.length > 0) selected.push(...left.splice(Math.floor(random() * left.length), 1))
  return selected
}
