import { describe, expect, test } from 'vitest'
import { securityLevels, tlsVersions } from './choices.ts'
import { hstsOf, hstsPresetOf, hstsPresets, securityStateOf, readHsts, unknownState, warningsOf, withHstsAge } from './rules.ts'
import type { SecurityState } from './rules.ts'
import { hstsSetting } from './schema.ts'
import type { SettingsPatch } from './schema.ts'

const safe: SecurityState = { ...unknownState, ssl: 'full', alwaysUseHttps: true, hsts: false, universalSsl: true }
const header = { enabled: true, maxAge: 15_552_000, includeSubDomains: false, preload: false, nosniff: true }
const codes = (current: Partial<SecurityState>, patch: SettingsPatch) =>
  warningsOf({ ...safe, ...current }, patch).map(({ code, severity }) => `${severity} ${code}`)

describe('R-DET-03 dangerous combinations are reported before the change', () => {
  test.each<[string, Partial<SecurityState>, SettingsPatch, string[]]>([
    ['universal SSL off while HSTS is on', { hsts: true }, { universalSsl: false }, ['danger universal_off_with_hsts']],
    ['HSTS on while universal SSL is off', { universalSsl: false }, { hsts: header }, ['danger universal_off_with_hsts']],
    ['both at the same time', {}, { universalSsl: false, hsts: header }, ['danger universal_off_with_hsts']],
    ['universal SSL off', {}, { universalSsl: false }, ['caution universal_off']],
    ['universal SSL off where HSTS is unknown', { hsts: null }, { universalSsl: false }, ['caution universal_off']],
    ['Flexible with Always HTTPS', {}, { ssl: 'flexible' }, ['caution flexible_with_https']],
    ['Always HTTPS with Flexible', { ssl: 'flexible', alwaysUseHttps: false }, { alwaysUseHttps: true }, ['caution flexible_with_https']],
    ['SSL off with Always HTTPS', {}, { ssl: 'off' }, ['danger https_without_ssl']],
    ['SSL off with HSTS', { alwaysUseHttps: false, hsts: true }, { ssl: 'off' }, ['danger hsts_without_ssl']],
    ['HSTS without Always HTTPS', { alwaysUseHttps: false }, { hsts: header }, ['caution hsts_without_https']],
    ['Always HTTPS off under HSTS', { hsts: true }, { alwaysUseHttps: false }, ['caution hsts_without_https']],
    ['Strict with an unknown origin', {}, { ssl: 'strict' }, ['caution strict_origin_unknown']],
    ['Strict with a trusted origin', { originTrusted: true }, { ssl: 'strict' }, []],
    [
      'the worst first',
      { ssl: 'flexible', alwaysUseHttps: false },
      { alwaysUseHttps: true, universalSsl: false, hsts: header },
      ['danger universal_off_with_hsts', 'caution flexible_with_https'],
    ],
    [
      'the worst first, regardless of the order of the rules',
      {},
      { ssl: 'off', universalSsl: false },
      ['danger https_without_ssl', 'caution universal_off'],
    ],
    [
      'equally severe ones in the order of the rules',
      {},
      { ssl: 'off', hsts: header },
      ['danger https_without_ssl', 'danger hsts_without_ssl'],
    ],
    [
      'also those that are less severe',
      {},
      { ssl: 'flexible', universalSsl: false },
      ['caution universal_off', 'caution flexible_with_https'],
    ],
    [
      'HSTS without SSL, which covers HSTS without Always HTTPS',
      { ssl: 'off', alwaysUseHttps: false },
      { hsts: header },
      ['danger hsts_without_ssl'],
    ],
    ['Bot Fight Mode of a domain in a tracker', { trackerBound: true }, { botFightMode: true }, ['caution bot_fight_with_tracker']],
    ['Bot Fight Mode of another domain', { trackerBound: false }, { botFightMode: true }, []],
    ['Bot Fight Mode off', { trackerBound: true, botFightMode: true }, { botFightMode: false }, []],
    ['AI bots blocked', { aiBots: 'disabled' }, { aiBots: 'block' }, ['caution ai_bots_with_search']],
    ['AI bots blocked on pages with ads', {}, { aiBots: 'only_on_ad_pages' }, ['caution ai_bots_on_ad_pages_with_search']],
    ['AI bots blocked on more pages', { aiBots: 'only_on_ad_pages' }, { aiBots: 'block' }, ['caution ai_bots_with_search']],
    ['nothing about fewer blocked pages', { aiBots: 'block' }, { aiBots: 'only_on_ad_pages' }, []],
    ['DNSSEC off', { dnssec: true }, { dnssec: false }, ['caution dnssec_off']],
    ['DNSSEC off where its state is unknown', {}, { dnssec: false }, ['caution dnssec_off']],
    ['DNSSEC on', { dnssec: false }, { dnssec: true }, []],
    ['nothing about what is unchanged', { ssl: 'flexible' }, { minTlsVersion: '1.2' }, []],
    ['nothing about a safer setting', { ssl: 'off', alwaysUseHttps: true, hsts: true }, { ssl: 'full' }, []],
    ['nothing about unknown settings', { ssl: null, alwaysUseHttps: null }, { hsts: header }, []],
  ])('%s', (_name, current, patch, expected) => expect(codes(current, patch)).toEqual(expected))
})

describe('R-DET-03 HSTS', () => {
  const ages = [undefined, null, -1, 0, 1.5, 63_072_000, 63_072_001, Number.NaN, '0'].map((maxAge) => ({ enabled: true, maxAge }))
  const flags = ['enabled', 'includeSubDomains', 'preload', 'nosniff'].flatMap((flag) =>
    [undefined, null, false, true, 'true'].map((value) => ({ enabled: false, [flag]: value })),
  )
  test.each<Record<string, unknown>>([{}, header, { ...header, other: 1 }, ...ages, ...flags])('%j is read as by the schema', (given) =>
    expect(readHsts(given)).toEqual(hstsSetting.safeParse(given).data ?? null),
  )

  const wire = { enabled: true, max_age: 2_592_000, include_subdomains: true, preload: false, nosniff: true }

  test('the provider’s header is converted to our fields', () => {
    expect(hstsOf({ strict_transport_security: wire })).toEqual({
      enabled: true,
      maxAge: 2_592_000,
      includeSubDomains: true,
      preload: false,
      nosniff: true,
    })
  })
  test.each([
    null,
    'on',
    {},
    { strict_transport_security: null },
    { strict_transport_security: 'on' },
    { strict_transport_security: { max_age: 1 } },
  ])('an invalid header (%j) is none', (value) => expect(hstsOf(value)).toBeNull())
  test('the presets are off, 1, 3, 6 and 12 months, and are recognized by their age', () => {
    expect(hstsPresets.map(({ months }) => months)).toEqual([0, 1, 3, 6, 12])
    for (const { months, maxAge } of hstsPresets) expect(hstsPresetOf(withHstsAge(header, maxAge))?.months).toBe(months)
    expect(hstsPresetOf({ enabled: true, maxAge: 86_400 })).toBeNull()
    expect(withHstsAge(header, 0)).toEqual({ ...header, enabled: false })
  })
})

test('R-DET-03 there are five security levels and four TLS versions', () => {
  expect(securityLevels).toEqual(['essentially_off', 'low', 'medium', 'high', 'under_attack'])
  expect(tlsVersions).toEqual(['1.0', '1.1', '1.2', '1.3'])
})

test('R-DET-03 the warnings of a domain concern its own settings', () => {
  const settings = {
    ssl: 'off',
    minTlsVersion: '1.2',
    alwaysUseHttps: true,
    hsts: false,
    securityLevel: null,
    universalSsl: null,
    botFightMode: true,
    aiBots: 'block',
    aiLabyrinth: null,
    managedRobotsTxt: null,
    dnssec: true,
    dnssecState: null,
    developmentMode: 0,
    developmentModeEndsAt: null,
    values: {},
    readAt: null,
    ageSeconds: null,
  }
  expect(securityStateOf(settings, true)).toEqual({
    ssl: 'off',
    alwaysUseHttps: true,
    hsts: false,
    universalSsl: null,
    botFightMode: true,
    aiBots: 'block',
    dnssec: true,
    trackerBound: true,
  })
})
