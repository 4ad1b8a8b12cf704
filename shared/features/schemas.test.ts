import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { acknowledgeManyInput, createChannelInput, createWindowInput, muteManyInput, updateWindowInput } from './alerts/schema.ts'
import { addressDomainsInput, addressSort, listAddressesInput } from './addresses/schema.ts'
import { createTokenInput } from './api-tokens/schema.ts'
import { email, newPassword, registerInput } from './auth/schema.ts'
import { changeIpInput } from './domains/records/schema.ts'
import { addressFilterText, listDomainsLiveInput } from './domains/schema.ts'
import { purgeCacheInput, updateSettingsInput } from './domains/settings/schema.ts'
import { groupColor } from './groups/schema.ts'
import { changePasswordInput } from './me/schema.ts'
import { checkOptions } from './monitoring/schema.ts'
import { profileFields, updateProfileInput } from './profiles/schema.ts'
import { createContactInput, purchaseInput, updateContactInput } from './registrars/buying/schema.ts'
import { createRegistrarInput } from './registrars/schema.ts'
import { panelSettings, timeZone, updatePanelSettingsInput } from './settings/schema.ts'
import { createShareInput, listSharesInput } from './sharing/schema.ts'
import { updateTrackerSettingsInput } from './trackers/schema.ts'
import { confirmTotpInput, recoveryCode, secondFactorFields } from './two-factor/schema.ts'
import { createUserInput, resetByLinkInput } from './users/schema.ts'

/** `path message` of each problem. */
const problems = (schema: z.ZodType, given: unknown): string[] =>
  schema.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()) ?? []
const id = '0198a000-0000-7000-8000-000000000001'
const other = '0198a000-0000-7000-8000-000000000002'

describe('alerts', () => {
  test('a channel needs the address of its kind', () => {
    const channel = { name: 'Ours' }
    expect(problems(createChannelInput, { ...channel, kind: 'telegram' })).toEqual(['chatId required'])
    expect(problems(createChannelInput, { ...channel, kind: 'webhook' })).toEqual(['url required'])
    expect(problems(createChannelInput, { ...channel, kind: 'telegram', chatId: '@ours' })).toEqual([])
    expect(problems(createChannelInput, { ...channel, kind: 'webhook', url: 'https://example.com/hook' })).toEqual([])
  })

  const window = { name: 'Move', startsAt: '2026-11-25T10:00:00Z', endsAt: '2026-11-25T12:00:00Z' }
  test.each([
    ['created', createWindowInput, window],
    ['changed', updateWindowInput, { ...window, id }],
  ])('a %s maintenance window ends after it starts, is no longer than its interval and has one scope', (_way, schema, given) => {
    expect(problems(schema, given)).toEqual([])
    expect(problems(schema, { ...given, endsAt: given.startsAt })).toEqual(['endsAt maintenance_order'])
    expect(problems(schema, { ...given, endsAt: '2026-11-25T09:00:00Z' })).toEqual(['endsAt maintenance_order'])
    const daily = { every: 'day', timeZone: 'Europe/Berlin' }
    expect(problems(schema, { ...given, endsAt: '2027-11-25T10:00:00Z' })).toEqual([])
    expect(problems(schema, { ...given, endsAt: '2026-11-26T10:00:00Z', repeat: daily })).toEqual([])
    expect(problems(schema, { ...given, endsAt: '2026-11-26T10:00:01Z', repeat: daily })).toEqual(['endsAt maintenance_length'])
    expect(problems(schema, { ...given, endsAt: '2026-12-02T10:00:00Z', repeat: { ...daily, every: 'week' } })).toEqual([])
    expect(problems(schema, { ...given, endsAt: '2026-12-24T10:00:00Z', repeat: { ...daily, every: 'month' } })).toEqual([
      'endsAt maintenance_length',
    ])
    expect(problems(schema, { ...given, repeat: { ...daily, until: given.startsAt } })).toEqual(['repeat.until maintenance_order'])
    expect(problems(schema, { ...given, repeat: { ...daily, until: '2026-11-25T10:00:01Z' } })).toEqual([])
    expect(problems(schema, { ...given, groupId: id, zoneIds: [other] })).toEqual(['zoneIds maintenance_scope'])
    expect(problems(schema, { ...given, groupId: id })).toEqual([])
    expect(problems(schema, { ...given, zoneIds: [other] })).toEqual([])
    expect(problems(schema, { ...given, startsAt: '1969-12-31T10:00:00Z' })).toEqual(['startsAt invalid_day'])
    expect(problems(schema, { ...given, startsAt: '1970-01-01T00:00:00Z' })).toEqual([])
    expect(problems(schema, { ...given, endsAt: '9999-01-01T10:00:00Z' })).toEqual(['endsAt invalid_day'])
    expect(problems(schema, { ...given, endsAt: '9998-12-31T23:59:59Z' })).toEqual([])
  })

  test.each([
    ['acknowledged', acknowledgeManyInput],
    ['muted', muteManyInput],
  ])('several incidents are %s by their ids or by their cause', (_way, schema) => {
    expect(problems(schema, { ids: [id] })).toEqual([])
    expect(problems(schema, { cause: 'dns' })).toEqual([])
    expect(problems(schema, {})).toEqual(['ids incidents_target'])
    expect(problems(schema, { ids: [id], cause: 'dns' })).toEqual(['ids incidents_target'])
  })
})

describe('users and sign-in', () => {
  test('an API token has a spend limit exactly if it can buy, and expires in the future', () => {
    const token = { name: 'CI', scope: 'read' }
    expect(problems(createTokenInput, token)).toEqual([])
    expect(problems(createTokenInput, { ...token, spendLimitUsd: null })).toEqual([])
    expect(problems(createTokenInput, { ...token, spendLimitUsd: 10 })).toEqual(['spendLimitUsd invalid_value'])
    expect(problems(createTokenInput, { ...token, scope: 'buy' })).toEqual(['spendLimitUsd required'])
    expect(problems(createTokenInput, { ...token, scope: 'buy', spendLimitUsd: null })).toEqual(['spendLimitUsd required'])
    expect(problems(createTokenInput, { ...token, scope: 'buy', spendLimitUsd: 10 })).toEqual([])
    expect(createTokenInput.safeParse(token).success).toBe(true)
    const expiring = (expiresAt: string) => problems(createTokenInput, { ...token, expiresAt })
    expect(expiring('')).toEqual(['expiresAt required'])
    expect(expiring('tomorrow')).toEqual(['expiresAt invalid_value'])
    expect(expiring('2020-01-01T00:00:00Z')).toEqual(['expiresAt in_the_past'])
    expect(expiring('2999-01-01T00:00:00+03:00')).toEqual([])
  })

  const password = 'correct horse 7'
  const given = { password, passwordConfirmation: password }
  test.each([
    ['registration', registerInput, { email: 'a@example.com' }],
    ['password change', changePasswordInput, { currentPassword: 'old one' }],
    ['reset link', resetByLinkInput, { ticket: 't' }],
  ])('both passwords of a %s are the same', (_what, schema, rest) => {
    expect(problems(schema, { ...rest, ...given })).toEqual([])
    expect(problems(schema, { ...rest, ...given, passwordConfirmation: 'another one' })).toEqual([
      'passwordConfirmation passwords_do_not_match',
    ])
  })

  test('a common password is refused, and an email is stored in lower case', () => {
    expect(problems(newPassword, 'password')).toEqual(['password_common'])
    expect(problems(newPassword, password)).toEqual([])
    expect(email.parse(' Anna@Example.COM ')).toBe('anna@example.com')
  })

  test('the role of a new user is required, and one of the known ones', () => {
    expect(problems(createUserInput.pick({ role: true }), {})).toEqual(['role required'])
    expect(problems(createUserInput.pick({ role: true }), { role: 'KING' })).toEqual(['role invalid_value'])
  })

  test('codes are accepted as people write them', () => {
    expect(confirmTotpInput.parse({ ticket: 't', code: ' 123 456 ' }).code).toBe('123456')
    expect(problems(confirmTotpInput, { ticket: 't', code: '12345' })).toEqual(['code invalid_code'])
    expect(recoveryCode.parse('ABCD-ef12 3456')).toBe('abcdef123456')
    expect(problems(recoveryCode, 'abcd')).toEqual(['invalid_recovery_code'])
  })

  test('a second factor has what its method needs', () => {
    expect(problems(secondFactorFields, { ticket: 't', method: 'totp', code: '123456' })).toEqual([])
    expect(problems(secondFactorFields, { ticket: 't', method: 'totp' })).toEqual(['code required'])
    expect(problems(secondFactorFields, { ticket: 't', method: 'recovery', code: 'x' })).toEqual(['code invalid_recovery_code'])
    expect(secondFactorFields.safeParse({ ticket: 't', method: 'totp' }).error?.issues[0]?.code).toBe('custom')
  })

  test('a share has exactly one subject', () => {
    const share = { user: 'anna', level: 'view' }
    for (const [schema, rest] of [
      [listSharesInput, {}],
      [createShareInput, share],
    ] as const) {
      for (const target of ['groupId', 'accountId', 'registrarId', 'trackerId'])
        expect(problems(schema, { ...rest, [target]: id })).toEqual([])
      expect(problems(schema, rest)).toEqual(['groupId required'])
      expect(problems(schema, { ...rest, groupId: id, trackerId: other })).toEqual(['groupId required'])
    }
  })
})

describe('domains', () => {
  test('R-DOM-14 a new address is one that a server can have', () => {
    const change = (ipAddress: string) => problems(changeIpInput, { id, ipAddress })
    for (const address of ['203.0.113.7', '10.0.0.1', '223.255.255.255', '170.0.0.1', '2001:db8::1', 'fc00::1', '::2', 'fec0::1'])
      expect(change(address)).toEqual([])
    for (const address of ['0.0.0.0', '127.0.0.1', '169.254.1.1', '224.0.0.1', '239.1.1.1', '255.255.255.255'])
      expect(change(address)).toEqual(['ipAddress address_of_nobody'])
    for (const address of ['::', '::1', '0:0:0:0:0:0:0:1', '::ffff:203.0.113.7', 'fe80::1', 'febf::1', 'ff02::1'])
      expect(change(address)).toEqual(['ipAddress address_of_nobody'])
    expect(change('somewhere')).toEqual(['ipAddress invalid_ip'])
  })

  test('settings of a domain are changed by at least one of them', () => {
    expect(problems(updateSettingsInput, { id })).toEqual(['settings_empty'])
    expect(problems(updateSettingsInput, { id, ssl: undefined })).toEqual(['settings_empty'])
    expect(problems(updateSettingsInput, { id, ssl: 'full', hsts: undefined })).toEqual([])
  })

  test('the cache is purged of everything or of some URLs', () => {
    expect(problems(purgeCacheInput, { id })).toEqual(['purge_choice'])
    expect(problems(purgeCacheInput, { id, purgeEverything: true })).toEqual([])
    expect(problems(purgeCacheInput, { id, files: ['https://example.com/a'] })).toEqual([])
    expect(problems(purgeCacheInput, { id, purgeEverything: true, files: ['https://example.com/a'] })).toEqual(['purge_choice'])
  })

  test('lists in query parameters are separated by commas, and filters by address are checked', () => {
    expect(listDomainsLiveInput.parse({ groupIds: `${id} , ${other}` }).groupIds).toEqual([id, other])
    expect(problems(listDomainsLiveInput, { groupIds: `${id};${other}` })).toHaveLength(1)
    expect(problems(listDomainsLiveInput, { gruopIds: id })).toHaveLength(1)
    expect(problems(addressFilterText, '203.0.113.*')).toEqual([])
    expect(problems(addressFilterText, '203.0.113')).toEqual(['invalid_address_filter'])
  })

  test('a profile has settings, records or rules, and valid ones', () => {
    const record = { type: 'A', name: '@', content: '203.0.113.7' }
    const profile = { name: 'Shop', settings: {}, records: [] }
    expect(problems(profileFields, profile)).toEqual(['settings profile_empty'])
    expect(problems(profileFields, { ...profile, settings: { ssl: undefined } })).toEqual(['settings profile_empty'])
    expect(problems(profileFields, { ...profile, settings: { ssl: 'full', hsts: undefined } })).toEqual([])
    expect(problems(profileFields, { ...profile, records: [record] })).toEqual([])
    const wrong = profileFields.safeParse({ ...profile, records: [record, { type: 'MX', name: '@', content: 'mail.example.com' }] })
    expect(wrong.error?.issues).toMatchObject([{ code: 'custom', path: ['records', 1, 'priority'] }])
    expect(wrong.error?.issues[0]).not.toHaveProperty('params')
    const outOfRange = { type: 'SRV', name: '_sip._tcp', content: '1 70000 5060 sip.example.com' }
    expect(profileFields.safeParse({ ...profile, records: [outOfRange] }).error?.issues).toMatchObject([
      { path: ['records', 0, 'content'], message: 'record_number', params: { max: 65_535 } },
    ])
    expect(problems(profileFields, { ...profile, records: [{ ...record, content: 'nowhere' }] })).toHaveLength(1)
    const empty = { settings: {}, records: [], rules: [] }
    expect(problems(updateProfileInput, { id, settings: {}, records: [] })).toEqual([])
    expect(problems(updateProfileInput, { id, ...empty })).toEqual(['settings profile_empty'])
    expect(problems(updateProfileInput, { id, name: 'Shop' })).toEqual([])
    expect(problems(updateProfileInput, { id, settings: {} })).toEqual([])
    expect(problems(updateProfileInput, { id, records: [] })).toEqual([])
    expect(problems(updateProfileInput, { id, settings: {}, records: [record] })).toEqual([])
    expect(problems(updateProfileInput, { id, settings: { ssl: 'full' }, records: [] })).toEqual([])
  })

  test('a range of expected statuses is not reversed', () => {
    const status = (from: number, to: number) => problems(checkOptions.shape.expectedStatus, [{ from, to }])
    expect(status(200, 399)).toEqual([])
    expect(status(200, 200)).toEqual([])
    expect(status(399, 200)).toEqual(['0 monitoring_status_range'])
  })

  test('the color of a group has six digits', () => {
    expect(groupColor.parse(' #1aF ')).toBe('#11aaff')
    expect(groupColor.parse('#12abEF')).toBe('#12abef')
    expect(groupColor.parse('')).toBe('')
  })
})

describe('registrars, trackers and the panel', () => {
  const contact = {
    name: 'Firm',
    firstName: 'Anna',
    lastName: 'Müller',
    email: 'anna@example.com',
    phone: '+49 (30) 123-45.67',
    address: 'Street 1',
    city: 'Berlin',
    region: 'Berlin',
    postalCode: '10115',
    country: 'de',
  }
  test('a registrant is stored in the form that registries expect', () => {
    expect(createContactInput.parse(contact)).toMatchObject({ phone: '+49301234567', country: 'DE', organization: null, extra: {} })
    expect(createContactInput.parse({ ...contact, organization: ' ' }).organization).toBeNull()
    expect(createContactInput.parse({ ...contact, organization: ' Firm ' }).organization).toBe('Firm')
    expect(updateContactInput.parse({ id, country: 'fr' }).country).toBe('FR')
  })
  test.each(['EU', 'UN', 'ZZ', 'XX', 'd', '12', 'Ä1', 'aß', 'ßa'])('%s is not the country of a registrant', (country) => {
    expect(problems(createContactInput, { ...contact, country })).toEqual(['country invalid_country'])
  })

  test('the address of an API key at a registrar is an IPv4 address', () => {
    const registrar = (clientIp?: string) => problems(createRegistrarInput, { name: 'One', clientIp })
    expect(registrar()).toEqual([])
    expect(registrar('')).toEqual([])
    expect(registrar('192.0.2.1')).toEqual([])
    expect(registrar('2001:db8::1')).toEqual(['clientIp invalid_ip'])
  })

  test('an emptied field is cleared', () => {
    const { company, apiUrl, email: address } = createRegistrarInput.parse({ name: 'One', company: '', apiUrl: '', email: '' })
    expect([company, apiUrl, address]).toEqual([null, null, null])
    expect(updateTrackerSettingsInput.parse({ keitaroUrl: '', binomApiKey: '' })).toEqual({ keitaroUrl: null, binomApiKey: null })
    expect(purchaseInput.shape.ipAddress.parse('')).toBeNull()
  })

  test('the time zone of the panel has an IANA name', () => {
    for (const name of ['Europe/Berlin', 'UTC']) expect(problems(timeZone, name)).toEqual([])
    for (const name of ['+03:00', 'Mars/Base', '1']) expect(problems(timeZone, name)).toEqual(['invalid_time_zone'])
  })

  test('settings of the panel are changed by at least one of them, and days are whole', () => {
    expect(problems(updatePanelSettingsInput, {})).toEqual(['settings_empty'])
    expect(problems(updatePanelSettingsInput, { registration: 'open' })).toEqual([])
    const days = (value: unknown) => problems(panelSettings.shape.sessionDays, value)
    expect([days(undefined), days(null), days(1.5)]).toEqual([['required'], ['invalid_days'], ['invalid_days']])
    expect([days(0), days(1), days(365), days(366)]).toEqual([['too_small'], [], [], ['too_big']])
    const retention = (value: number) => problems(updatePanelSettingsInput, { activityRetentionDays: value })
    expect([retention(3_650), retention(3_651)]).toEqual([[], ['activityRetentionDays too_big']])
  })
})

describe('addresses', () => {
  const fits = (schema: z.ZodType, given: object) => schema.safeParse(given).success

  test('a list has a default order and page, and bounds', () => {
    expect(listAddressesInput.parse({})).toEqual({ sort: { by: 'domains', direction: 'desc' }, limit: 50 })
    expect(listAddressesInput.parse({ search: ` ${'x'.repeat(255)} ` }).search).toBe('x'.repeat(255))
    for (const given of [{ limit: 1 }, { limit: 200 }, { cursor: 'x'.repeat(1_000) }, { ownerId: id, type: 'AAAA' }])
      expect(fits(listAddressesInput, given)).toBe(true)
    for (const given of [
      { limit: 0 },
      { limit: 201 },
      { cursor: 'x'.repeat(1_001) },
      { search: 'x'.repeat(256) },
      { ownerId: 'x' },
      { type: 'TXT' },
    ])
      expect(fits(listAddressesInput, given)).toBe(false)
    for (const by of ['domains', 'records', 'address'])
      for (const direction of ['asc', 'desc']) expect(addressSort.parse({ by, direction })).toEqual({ by, direction })
  })

  test('the domains of an address need the address', () => {
    expect(addressDomainsInput.parse({ address: ' 192.0.2.1 ' })).toEqual({ address: '192.0.2.1', limit: 50 })
    expect(fits(addressDomainsInput, { address: 'x'.repeat(2_048) })).toBe(true)
    for (const address of ['', ' ', 'x'.repeat(2_049)]) expect(fits(addressDomainsInput, { address })).toBe(false)
  })
})
