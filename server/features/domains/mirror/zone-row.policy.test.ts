import { expect, test } from 'vitest'
import type { HostedSetting, HostedZone } from '#server/ports/dns-host.ts'
import { packProtection, unpackProtection } from '#shared/features/domains/protection.ts'
import { listedSettings, searchTextOf, storedSetting, summarizeRecords, zoneRowOf, zoneStatusOf } from './zone-row.policy.ts'

test('a status that is neither working nor pending is an error', () => {
  expect(['active', 'pending', 'initializing', 'moved', 'deleted', ''].map(zoneStatusOf)).toEqual([
    'active',
    'pending',
    'initializing',
    'error',
    'error',
    'error',
  ])
})

test('internationalized names are found in both notations', () => {
  expect(searchTextOf('example.com')).toBe('example.com')
  expect(searchTextOf('xn--e1afmkfd.xn--p1ai')).toBe('xn--e1afmkfd.xn--p1ai\nпример.рф')
  // Invalid Punycode has no other notation.
  expect(searchTextOf('xn--a.example')).toBe('xn--a.example')
})

const zone: HostedZone = {
  providerZoneId: 'z1',
  name: 'example.com',
  status: 'moved',
  paused: true,
  type: 'full',
  developmentModeSeconds: -30,
  nameServers: ['a.ns.example'],
  originalNameServers: ['b.ns.example'],
  originalRegistrar: 'registrar',
  originalDnsHost: 'host',
  verificationKey: 'key',
  cnameSuffix: 'cdn.example',
  vanityNameServers: ['c.ns.example'],
  createdAt: new Date(1),
  modifiedAt: new Date(2),
  activatedAt: new Date(3),
  account: { id: 'a1', name: 'Account' },
  owner: { id: 'o1', type: 'user', email: 'ann@example.com' },
  plan: { id: 'free', name: 'Free Website' },
  pageRuleQuota: 3,
  customCertificateQuota: 0,
  phishingDetected: true,
}

test('a listed zone becomes a complete row', () => {
  const {
    providerZoneId,
    name,
    status,
    paused,
    type,
    nameServers,
    createdAt,
    modifiedAt,
    activatedAt,
    developmentModeSeconds,
    phishingDetected,
    ...details
  } = zone
  expect(zoneRowOf(zone)).toEqual({
    zone_id: providerZoneId,
    name,
    search: name,
    status: 'error',
    provider_status: status,
    paused,
    type,
    plan: 'Free Website',
    name_servers: nameServers,
    details,
    provider_account_id: 'a1',
    development_mode: 0,
    phishing: phishingDetected,
    provider_created_at: createdAt,
    provider_modified_at: modifiedAt,
    activated_at: activatedAt,
  })
  expect(developmentModeSeconds).toBeLessThan(0)
  expect(zoneRowOf({ ...zone, plan: null, developmentModeSeconds: 90 })).toMatchObject({ plan: null, development_mode: 90 })
})

test('up to a thousand addresses of a domain can be found, in their sort order', () => {
  const records = Array.from({ length: 1_002 }, (_, at) => ({ type: 'A', content: String(9_999 - at), proxied: false }))
  const { origin_ips: found } = summarizeRecords(records)
  expect([found.length, found[0], found.at(-1)]).toEqual([1_000, '8998', '9997'])
})

const unread = { protection: { bits: 0, mask: 0 } }
const setting = (id: string, value: unknown, modifiedAt: Date | null = null): HostedSetting => ({
  id,
  value,
  editable: true,
  modifiedAt,
  timeRemainingSeconds: null,
})

test('lists show the security settings', () => {
  expect(
    listedSettings([
      setting('ssl', 'strict', new Date(0)),
      setting('min_tls_version', '1.2'),
      setting('always_use_https', 'on'),
      setting('security_level', 'high'),
      setting('security_header', { strict_transport_security: { enabled: true, max_age: 1 } }),
      setting('other', 5),
    ]),
  ).toEqual({ sslMode: 'strict', tlsMin: '1.2', https: true, hsts: true, securityLevel: 'high', ...unread })
})

test('lists show the settings of bots and the status of DNSSEC, and of an incomplete reading only what it has', () => {
  const dnssec = { status: 'pending', ds: null, keyTag: 1, algorithm: '13', digestType: '2', digest: 'A', flags: 257, publicKey: 'k' }
  const bots = [setting('fight_mode', true), setting('ai_bots_protection', 'only_on_ad_pages')]
  const { protection } = listedSettings([...bots, { ...setting('dnssec', true), details: dnssec }])
  expect(protection).toEqual(packProtection({ botFightMode: 'enabled', aiBots: 'only_on_ad_pages', dnssec: 'pending' }))
  expect(unpackProtection('managedRobotsTxt', protection.bits)).toBeNull()
})

test('all settings are stored unchanged', () => {
  expect(storedSetting(setting('ssl', 'strict', new Date(0)))).toEqual({
    value: 'strict',
    editable: true,
    modifiedOn: '1970-01-01T00:00:00.000Z',
  })
  expect(storedSetting({ ...setting('other', 5), editable: false })).toEqual({ value: 5, editable: false, modifiedOn: null })
})

test('a missing or malformed setting is unknown', () => {
  expect(listedSettings([])).toEqual(unread)
  expect(listedSettings([setting('ssl', 5), setting('always_use_https', 'maybe'), setting('security_header', 'on')])).toEqual(unread)
  expect(listedSettings([setting('always_use_https', 'off')]).https).toBe(false)
  for (const header of [
    null,
    {},
    { strict_transport_security: null },
    { strict_transport_security: 'on' },
    { strict_transport_security: {} },
    { strict_transport_security: { enabled: 'on' } },
  ])
    expect(listedSettings([setting('security_header', header)])).toEqual(unread)
  const malformed = [setting('fight_mode', null), setting('ai_bots_protection', 1), setting('dnssec', true)]
  expect(listedSettings(malformed)).toEqual({ protection: packProtection({ botFightMode: '', aiBots: '', dnssec: '' }) })
})

test('R-DOM-02 every address of a domain can be found, however many it has; other types and duplicates do not count', () => {
  const records = Array.from({ length: 300 }, (_, at) => ({ type: 'A', content: `198.51.${at % 2}.${at % 150}`, proxied: at % 3 === 0 }))
  const { origin_ips: addresses, ...counts } = summarizeRecords([
    ...records,
    { type: 'AAAA', content: '2001:db8::1', proxied: false },
    { type: 'CNAME', content: 'shops.example.net', proxied: true },
  ])
  expect(addresses).toEqual([...new Set(records.map(({ content }) => content)), '2001:db8::1'].toSorted())
  expect(counts).toEqual({ records_count: 302, proxied_count: 101 })
})
