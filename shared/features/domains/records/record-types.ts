import type { RecordSeen, RecordType } from './schema.ts'

/** R-DNS-02: only these types can be proxied. */
export const proxiableTypes: readonly RecordType[] = ['A', 'AAAA', 'CNAME']
/** Their priority is a separate field. */
export const typesWithPriority: readonly RecordType[] = ['MX', 'SRV', 'URI']

const isOneOf = (types: readonly string[], type: string) => types.includes(type)
export const isProxiable = (type: string): boolean => isOneOf(proxiableTypes, type)
export const hasPriority = (type: string): boolean => isOneOf(typesWithPriority, type)

export const ttlRange = { min: 60, max: 86_400 } as const
/** In seconds; 1 is automatic. */
export const ttlPresets: readonly number[] = [1, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000, 43_200, 86_400]

/** Placeholders of empty fields, and the parts of the content in order. */
export const recordExamples: Readonly<Record<RecordType, { readonly name: string; readonly content: string; readonly parts: string }>> = {
  A: { name: 'www', content: '192.0.2.1', parts: 'IPv4' },
  AAAA: { name: 'www', content: '2001:db8::1', parts: 'IPv6' },
  CAA: { name: '@', content: '0 issue "letsencrypt.org"', parts: 'flags tag "value"' },
  CERT: { name: 'mail', content: '1 12345 8 MIICajCCAdOgAwIB', parts: 'type key-tag algorithm certificate' },
  CNAME: { name: 'www', content: 'example.net', parts: 'host' },
  DNSKEY: { name: 'sub', content: '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0d', parts: 'flags 3 algorithm public-key' },
  DS: {
    name: 'sub',
    content: '2371 13 2 1f987cc6583e92df0890718c42a51e3e9d5e6a4d7d0b5a3a6c1c0e2f7b9d8a44',
    parts: 'key-tag algorithm digest-type digest',
  },
  HTTPS: { name: '@', content: '1 . alpn="h3,h2"', parts: 'priority target key=value …' },
  LOC: {
    name: '@',
    content: '51 30 12.748 N 0 7 39.612 W 0m 1m 10000m 10m',
    parts: 'd m s N|S d m s E|W altitude size horizontal vertical',
  },
  MX: { name: '@', content: 'mail.example.com', parts: 'host' },
  NAPTR: {
    name: 'sip',
    content: '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
    parts: 'order preference "flags" "service" "regex" replacement',
  },
  NS: { name: 'sub', content: 'ns1.example.net', parts: 'host' },
  OPENPGPKEY: { name: 'hash._openpgpkey', content: 'mQINBFbT0mQBEADqP1Ww', parts: 'Base64' },
  PTR: { name: '1', content: 'host.example.com', parts: 'host' },
  SMIMEA: {
    name: 'hash._smimecert',
    content: '3 1 1 92003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c',
    parts: 'usage selector matching-type certificate',
  },
  SRV: { name: '_sip._tcp', content: '5 5060 sip.example.com', parts: 'weight port host' },
  SSHFP: {
    name: 'host',
    content: '4 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789',
    parts: 'algorithm type fingerprint',
  },
  SVCB: { name: '_dns', content: '1 dns.example.com alpn="dot" port=853', parts: 'priority target key=value …' },
  TLSA: {
    name: '_443._tcp',
    content: '3 1 1 92003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c',
    parts: 'usage selector matching-type certificate',
  },
  TXT: { name: '@', content: 'v=spf1 include:_spf.example.com ~all', parts: '"text"' },
  URI: { name: '_http._tcp', content: '1 "https://www.example.com/"', parts: 'weight "URI"' },
}

/** What a person saw of a record before changing it. */
export const seenOf = ({ type, name, content, ttl, proxied, priority, comment }: RecordSeen): RecordSeen => ({
  type,
  name,
  content,
  ttl,
  proxied,
  priority,
  comment,
})

type Writable = RecordSeen & { readonly type: RecordType; readonly tags: readonly string[] }

/** The input that creates the record. */
export const inputOf = ({ type, name, content, ttl, proxied, priority, comment, tags }: Writable) => ({
  type,
  name,
  content,
  ttl,
  proxied,
  ...(priority === null ? {} : { priority }),
  ...(comment === null ? {} : { comment }),
  ...(tags.length === 0 ? {} : { tags: [...tags] }),
})
