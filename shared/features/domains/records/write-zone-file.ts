import { hostAt } from './parse-zone-file.ts'
import { canonicalContent, hasPriority, isProxiable } from './rules.ts'
import type { DnsRecord, RecordType } from './schema.ts'

const dotted = (type: string, content: string): string => {
  const at = hostAt[type as RecordType]
  if (at === undefined) return content
  const place = hasPriority(type) ? at - 1 : at
  return content
    .split(' ')
    .map((word, index) => (index === place && !word.endsWith('.') ? `${word}.` : word))
    .join(' ')
}

/** The records as a zone file that parses back to the same records. */
export function writeZoneFile(zoneName: string, records: readonly DnsRecord[], heading: string): string {
  const lines = records.map((record) => {
    const canonical = canonicalContent(record.type, record.content, zoneName)
    const priority = hasPriority(record.type) ? `${record.priority ?? 0} ` : ''
    const tags = [...(isProxiable(record.type) ? [`cf-proxied:${record.proxied}`] : []), ...record.tags]
    const comment = [
      ...(record.comment === null ? [] : [record.comment]),
      ...(tags.length === 0 ? [] : [`cf_tags=${tags.join(',')}`]),
    ].join(' ')
    return `${record.name}.\t${record.ttl}\tIN\t${record.type}\t${priority}${dotted(record.type, canonical)}${comment === '' ? '' : ` ; ${comment}`}`
  })
  return [`;; ${heading}`, `$ORIGIN ${zoneName}.`, ...lines, ''].join('\n')
}
