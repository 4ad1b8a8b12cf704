interface TextPart {
  kind: 'same' | 'before' | 'after'
  text: string
}

/** Words with their separators, so that no text is lost. */
const wordsOf = (text: string): string[] => text.match(/[^\s";,]+|[\s";,]/g) ?? []
/** Longer texts would take too long to compare. */
const mostWords = 400

/** The length of the longest common subsequence of each pair of suffixes, in characters. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row === undefined) continue
      row[j] =
        a[i] === b[j] ? (lengths[i + 1]?.[j + 1] ?? 0) + (a[i]?.length ?? 0) : Math.max(lengths[i + 1]?.[j] ?? 0, lengths[i]?.[j + 1] ?? 0)
    }
  }
  return lengths
}

/** Both texts merged, compared word by word; null if they have too little in common. */
export function textDiff(before: string, after: string): TextPart[] | null {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  if (a.length > mostWords || b.length > mostWords) return null
  const lengths = commonLengths(a, b)
  const shared = lengths[0]?.[0] ?? 0
  if (shared < 12 || shared * 2 < Math.min(before.length, after.length)) return null
  const parts: TextPart[] = []
  const add = (kind: TextPart['kind'], text: string): void => {
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text
    else parts.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [was, is] = [a[i], b[j]]
    if (was !== undefined && was === is) {
      add('same', was)
      i += 1
      j += 1
    } else if (was !== undefined && (is === undefined || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      add('before', was)
      i += 1
    } else {
      add('after', is ?? '')
      j += 1
    }
  }
  return parts
}
