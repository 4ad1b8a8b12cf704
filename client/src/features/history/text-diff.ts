export interface TextDiff {
  /** What both begin with. */
  start: string
  before: string
  after: string
  /** What both end with. */
  end: string
}

/** Words with what parts them, so that nothing of the text is lost. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_-]+|[^\p{L}\p{N}_-]/gu) ?? []

/** What two texts share at both ends, in whole words, and what stands between; null where they share too little to help. */
export function textDiff(before: string, after: string): TextDiff | null {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  let first = 0
  while (first < a.length && first < b.length && a[first] === b[first]) first += 1
  let last = 0
  while (last < a.length - first && last < b.length - first && a[a.length - 1 - last] === b[b.length - 1 - last]) last += 1
  const start = a.slice(0, first).join('')
  const end = a.slice(a.length - last).join('')
  const shared = start.length + end.length
  if (shared < 12 || shared * 2 < Math.min(before.length, after.length)) return null
  return { start, before: a.slice(first, a.length - last).join(''), after: b.slice(first, b.length - last).join(''), end }
}
