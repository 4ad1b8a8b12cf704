import { canonicalContent } from '#shared/features/domains/records/rules.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'

export type ContentMatch = 'whole' | 'part'

/** Their contents are names and addresses, which are case-insensitive. */
const caseless: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV'])

interface Found {
  readonly start: number
  readonly end: number
}

/** Characters that would continue an address; null if the text is not an address. */
function addressCharacters(wanted: string): RegExp | null {
  if (/^\d[\d.]*$/.test(wanted) && wanted.includes('.')) return /[\d.]/
  return /^[\da-f:.]+$/i.test(wanted) && wanted.includes(':') ? /[\da-f:.]/i : null
}

/** Occurrences of the text. An address matches only as a whole, or as a prefix when it ends in `*`. */
function find(content: string, wanted: string): Found[] {
  const open = wanted.endsWith('*') && addressCharacters(wanted.slice(0, -1)) !== null
  const text = open ? wanted.slice(0, -1) : wanted
  const goesOn = addressCharacters(text)
  const found: Found[] = []
  for (let start = content.indexOf(text); start !== -1; start = content.indexOf(text, start + 1)) {
    if (start < (found.at(-1)?.end ?? 0)) continue
    let end = start + text.length
    if (goesOn !== null) {
      // An `ip4:` or `ip6:` prefix is not part of the address.
      const before = content.slice(0, start)
      if (goesOn.test(before.slice(-1)) && !/(?:^|[^\da-f])ip[46]:$/i.test(before)) continue
      let last = end
      while (goesOn.test(content.charAt(last))) last += 1
      // A full stop at the end of a sentence is not part of the address.
      if (!open && last > end && content.slice(end, last) !== '.') continue
      if (open) end = last
    }
    found.push({ start, end })
  }
  return found
}

const isAddress = (type: string) => type === 'A' || type === 'AAAA'

/** Occurrences of the text in the content of a record; empty if the record does not match. */
function placesIn({ type, content }: Pick<DnsRecord, 'type' | 'content'>, wanted: string, match: ContentMatch, zoneName: string): Found[] {
  const text = caseless.has(type) ? wanted.toLowerCase() : wanted
  const whole = [{ start: 0, end: content.length }]
  if (isAddress(type)) {
    if (text.endsWith('*')) return content.startsWith(text.slice(0, -1)) ? whole : []
    return canonicalContent(type, content, zoneName) === canonicalContent(type, wanted, zoneName) ? whole : []
  }
  if (match === 'part') return find(content, text)
  return canonicalContent(type, content, zoneName) === canonicalContent(type, wanted, zoneName) ? whole : []
}

/** Whether a record has the content, as a whole regardless of notation, or as a part. */
export const holdsContent = (record: Pick<DnsRecord, 'type' | 'content'>, wanted: string, match: ContentMatch, zoneName: string): boolean =>
  placesIn(record, wanted, match, zoneName).length > 0

/** The content with each match replaced by `next`; null without a match. `*` at the end of both texts keeps the rest of an address. */
export function replaceContent(
  record: Pick<DnsRecord, 'type' | 'content'>,
  wanted: string,
  next: string,
  match: ContentMatch,
  zoneName: string,
): string | null {
  const { content } = record
  const keeps = wanted.endsWith('*') && next.endsWith('*')
  const places = placesIn(record, wanted, match, zoneName)
  if (places.length === 0) return null
  let text = ''
  let done = 0
  for (const { start, end } of places) {
    text += content.slice(done, start) + (keeps ? next.slice(0, -1) + content.slice(start + wanted.length - 1, end) : next)
    done = end
  }
  return text + content.slice(done)
}
