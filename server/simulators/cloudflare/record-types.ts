/** Fields of `data` in the order of the content, for types whose content Cloudflare generates. */
export const DATA_FIELDS: Readonly<Record<string, readonly string[]>> = {
  CAA: ['flags', 'tag', 'value'],
  CERT: ['type', 'key_tag', 'algorithm', 'certificate'],
  DNSKEY: ['flags', 'protocol', 'algorithm', 'public_key'],
  DS: ['key_tag', 'algorithm', 'digest_type', 'digest'],
  HTTPS: ['priority', 'target', 'value'],
  // Latitude, longitude, then sizes in metres.
  LOC: 'lat_degrees lat_minutes lat_seconds lat_direction long_degrees long_minutes long_seconds long_direction altitude size precision_horz precision_vert'.split(
    ' ',
  ),
  NAPTR: ['order', 'preference', 'flags', 'service', 'regex', 'replacement'],
  SMIMEA: ['usage', 'selector', 'matching_type', 'certificate'],
  SRV: ['weight', 'port', 'target'],
  SSHFP: ['algorithm', 'type', 'fingerprint'],
  SVCB: ['priority', 'target', 'value'],
  TLSA: ['usage', 'selector', 'matching_type', 'certificate'],
  URI: ['weight', 'target'],
}

/** Types whose content is sent by the caller. */
export const PLAIN_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'OPENPGPKEY', 'PTR', 'TXT'])

/** Types with a priority besides the content. */
export const PRIORITY_TYPES: ReadonlySet<string> = new Set(['MX', 'SRV', 'URI'])

export const PROXIABLE_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME'])

const QUOTED = new Set(['CAA value', 'URI target', 'NAPTR flags', 'NAPTR service', 'NAPTR regex'])
const TEXT = new Set(['certificate', 'digest', 'fingerprint', 'public_key', 'replacement', 'tag', 'target', 'value'])

/** The content in zone file notation. */
export function contentFromData(type: string, data: Readonly<Record<string, unknown>>): string {
  const fields = DATA_FIELDS[type] ?? []
  return fields
    .map((field) => (QUOTED.has(`${type} ${field}`) ? `"${String(data[field])}"` : String(data[field])))
    .join(' ')
    .trimEnd()
}

/** The reverse; the last field takes all remaining words. */
export function dataFromWords(type: string, words: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = DATA_FIELDS[type] ?? []
  return Object.fromEntries(
    fields.map((field, index) => {
      const text = index === fields.length - 1 ? words.slice(index).join(' ') : (words[index] ?? '')
      const bare = text.replace(/^"(.*)"$/, '$1')
      const isNumber = !TEXT.has(field) && bare === text && /^-?\d+(\.\d+)?m?$/.test(text)
      return [field, isNumber ? Number.parseFloat(text) : field === 'target' && bare.length > 1 ? bare.replace(/\.$/, '') : bare]
    }),
  )
}
