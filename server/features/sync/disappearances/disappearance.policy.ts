import { believedLoss } from '#shared/features/sync/disappearances/confirmations.ts'

/** Whether a list lacks so much that a person has to decide: more than 5 and more than 2 % of what is known, or everything. */
export const isMassDisappearance = (missing: number, known: number): boolean =>
  missing > 0 && (missing >= known || missing > Math.max(believedLoss.count, Math.floor(known * believedLoss.share)))

/** How many of the missing ones are looked up individually. */
export const sampleSize = 20

/** A random sample of `keys`, at most `sampleSize`. */
export function pickSample(keys: readonly string[], random: () => number = Math.random): string[] {
  const left = [...keys]
  const selected: string[] = []
  while (selected.length < sampleSize && left.length > 0) selected.push(...left.splice(Math.floor(random() * left.length), 1))
  return selected
}
