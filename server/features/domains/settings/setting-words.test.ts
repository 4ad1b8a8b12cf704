import { expect, test } from 'vitest'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { patchOf, wantedOf } from './setting-words.ts'

const patches: SettingsPatch[] = [
  { universalSsl: false },
  { ssl: 'strict' },
  { ssl: 'off' },
  { minTlsVersion: '1.2' },
  { alwaysUseHttps: true },
  { hsts: { enabled: true, maxAge: 31_536_000, includeSubDomains: true, preload: true, nosniff: false } },
  { alwaysUseHttps: false },
  { securityLevel: 'off' },
  { securityLevel: 'under_attack' },
  { developmentMode: false },
  { botFightMode: true },
  { aiBots: 'only_on_ad_pages' },
  { aiLabyrinth: false },
  { managedRobotsTxt: true },
  { dnssec: true },
]

test.each(patches)('R-DET-03 %j can be restored from the value sent to the provider, so that any change can be undone', (patch) => {
  const [wanted, ...others] = wantedOf(patch)
  expect(others).toEqual([])
  expect(patchOf(wanted?.id ?? '', wanted?.value)).toEqual(patch)
})

test('R-DET-03 certificates are switched before the settings that depend on them', () => {
  const all = patches.reduce((sum, patch) => ({ ...sum, ...patch }), {})
  expect(wantedOf(all).map(({ id }) => id)).toEqual([
    'universal_ssl',
    'ssl',
    'min_tls_version',
    'always_use_https',
    'security_header',
    'security_level',
    'development_mode',
    'fight_mode',
    'ai_bots_protection',
    'crawler_protection',
    'is_robots_txt_managed',
    'dnssec',
  ])
})

test.each([
  ['rocket_loader', 'on'],
  ['ssl', 'sideways'],
  ['ssl', null],
  ['security_header', 'on'],
  ['always_use_https', 'maybe'],
  ['fight_mode', null],
  ['dnssec', 'pending'],
  ['ai_bots_protection', 'sometimes'],
])('a value that the panel does not set (%s: %j) has no patch', (id, value) => expect(patchOf(id, value)).toBeNull())
