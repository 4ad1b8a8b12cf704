import { canonicalContent } from '#shared/features/domains/records/rules.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'

export type ContentMatch = 'whole' | 'part'

/** Their contents are names and addresses: upper case is the same. */
const caseless: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV'])

interface Found {
  readonly start: number
  readonly end: number
}

/** Characters that go on with an address; null where the text is none. */
function addressCharacters(wanted: string): RegExp | null {
  if (/^\d[\d.]*$/.test(wanted) && wanted.includes('.')) return /[\d.]/
  return /^[\da-f:.]+$/i.test(wanted) && wanted.includes(':') ? /[\da-f:.]/i : null
}

/** Where the text stands; an address only where it is the whole of an address, or the beginning of one where `*` ends it. */
function find(content: string, wanted: string): Found[] {
  const open = wanted.endsWith('*') && addressCharacters(wanted.slice(0, -1)) !== null
  const text = open ? wanted.slice(0, -1) : wanted
  const goesOn = addressCharacters(text)
  const found: Found[] = []
  for (let start = content.indexOf(text); start !== -1; start = content.indexOf(text, start + 1)) {
    if (start < (found.at(-1)?.end ?? 0)) continue
    let end = start + text.length
    if (goesOn !== null) {
      // `ip4:` and `ip6:` stand before an address, and are no part of it.
      const before = content.slice(0, start)
      if (goesOn.test(before.slice(-1)) && !/(?:^|[^\da-f])ip[46]:$/i.test(before)) continue
      let last = end
      while (goesOn.test(content.charAt(last))) last += 1
      // A full stop ends a sentence, and not an address.
      if (!open && last > end && content.slice(end, last) !== '.') continue
      if (open) end = last
    }
    found.push({ start, end })
  }
  return found
}

const isAddress = (type: string) => type === 'A' || type === 'AAAA'

/** Where in a record's content the text stands; none where the record is not meant. */
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

/** Whether a record holds what is looked for: the whole of it however it is written, or a part. */
export const holdsContent = (record: Pick<DnsRecord, 'type' | 'content'>, wanted: string, match: ContentMatch, zoneName: string): boolean =>
  placesIn(record, wanted, match, zoneName).length > 0

/** The content with `next` in the place of what is looked for; null where it does not stand there. `*` at the end of both keeps the rest of an address. */
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
