/**
 * Matches a whole text with a pattern in which `*` stands for any characters; a backslash hides what follows. Null if it does not match.
 * `captures`: what each `*` stands for; null if there is more than one way, because Cloudflare does not document which one it takes.
 */
export function matchWildcard(text: string, pattern: string, isStrict: boolean): { readonly captures: readonly string[] | null } | null {
  const parts = partsOf(isStrict ? pattern : pattern.toLowerCase())
  const searched = isStrict ? text : text.toLowerCase()
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return searched === first ? { captures: [] } : null
  const end = searched.length - last.length
  if (end < first.length || !searched.startsWith(first) || !searched.endsWith(last)) return null
  const earliest = placesFrom(searched, others, first.length, end)
  if (earliest === null) return null
  const latest = placesTo(searched, others, first.length, end)
  if (searched.length !== text.length || latest?.some((place, at) => place !== earliest[at]) === true) return { captures: null }
  const captures: string[] = []
  let from = first.length
  for (const [at, place] of earliest.entries()) {
    captures.push(text.slice(from, place))
    from = place + (others[at] ?? '').length
  }
  return { captures: [...captures, text.slice(from, end)] }
}

function partsOf(pattern: string): string[] {
  const parts: string[] = ['']
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at)
    if (character === '*') parts.push('')
    else {
      if (character === '\\') at += 1
      parts.push(`${parts.pop() ?? ''}${pattern.charAt(at)}`)
    }
  }
  return parts
}

/** Where the parts are if each is as early as possible. */
function placesFrom(text: string, parts: readonly string[], start: number, end: number): number[] | null {
  const places: number[] = []
  let from = start
  for (const part of parts) {
    const place = text.indexOf(part, from)
    if (place === -1 || place + part.length > end) return null
    places.push(place)
    from = place + part.length
  }
  return places
}

/** Where the parts are if each is as late as possible. */
function placesTo(text: string, parts: readonly string[], start: number, end: number): number[] | null {
  const places: number[] = []
  let to = end
  for (const part of parts.toReversed()) {
    const place = text.lastIndexOf(part, to - part.length)
    if (place < start) return null
    places.unshift(place)
    to = place
  }
  return places
}
