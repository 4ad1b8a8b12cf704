import { expect, test } from 'vitest'
import { isPlanned } from './own-changes.ts'

/** As people write it, and as the provider shows it. */
const written: readonly (readonly [type: string, planned: string, shown: string])[] = [
  ['A', '203.0.113.9', '203.0.113.9'],
  ['AAAA', '2001:0DB8::0001', '2001:db8::1'],
  ['CNAME', 'Target.Example.com.', 'target.example.com'],
  ['TXT', 'a proof', '"a proof"'],
  ['MX', 'Mail.Example.com.', 'mail.example.com'],
  ['NS', 'NS1.example.com', 'ns1.example.com.'],
  ['CAA', '0 issue letsencrypt.org', '0 issue "letsencrypt.org"'],
  ['SRV', '10 5060 SIP.example.com.', '10 5060 sip.example.com'],
]

test.each(written)('a change of %s is the operation’s however it is written: %s, %s', (type, planned, shown) => {
  const record = (content: string) => ({ type, name: 'www.example.com', content })
  const change = { subject: 'record', key: 'r1', before: null, after: record(shown) }
  expect(isPlanned({ before: [], after: [record(planned)] }, change, 'example.com')).toBe(true)
  expect(isPlanned({ before: [], after: { settings: {}, records: [record(planned)] } }, change, 'example.com')).toBe(true)
  expect(isPlanned({ before: [record(planned)], after: [] }, { ...change, before: record(shown), after: null }, 'example.com')).toBe(true)
  // A deletion of what was to be added is somebody else's.
  expect(isPlanned({ before: [], after: [record(planned)] }, { ...change, before: record(shown), after: null }, 'example.com')).toBe(false)
})

test('a setting is the operation’s only with the value that it was to have', () => {
  const change = { subject: 'setting', key: 'min_tls_version', before: { value: '1.0' }, after: { value: '1.3' } }
  expect(isPlanned({ before: {}, after: { minTlsVersion: '1.3' } }, change, 'example.com')).toBe(true)
  expect(isPlanned({ before: {}, after: { minTlsVersion: '1.2' } }, change, 'example.com')).toBe(false)
  expect(isPlanned({ before: {}, after: { ssl: 'strict' } }, change, 'example.com')).toBe(false)
})
