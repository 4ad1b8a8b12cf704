import { expect, test } from 'vitest'
import type { z } from 'zod'
import { addAccountInput } from '#shared/features/accounts/schema.ts'
import { createTokenInput } from '#shared/features/api-tokens/schema.ts'
import { loginInput, registerInput } from '#shared/features/auth/schema.ts'
import { createContactInput } from '#shared/features/registrars/buying/schema.ts'
import { createGroupInput } from '#shared/features/groups/schema.ts'
import { changePasswordInput, updateProfileInput } from '#shared/features/me/schema.ts'
import { channelFields, windowFields } from '#shared/features/alerts/forms.ts'
import { optionFields, saveStatusPageInput } from '#shared/features/monitoring/settings.ts'
import { ipRequest } from '#shared/features/operations/requests.ts'
import { profileFields } from '#shared/features/profiles/schema.ts'
import { changeIpInput } from '#shared/features/domains/records/schema.ts'
import { newRegistrarForm } from '#shared/features/registrars/schema.ts'
import { createShareFields } from '#shared/features/sharing/schema.ts'
import { createTrackerInput } from '#shared/features/trackers/schema.ts'
import { addPasskeyInput, confirmTotpInput } from '#shared/features/two-factor/schema.ts'
import { createUserInput } from '#shared/features/users/schema.ts'
import { createZoneInput } from '#shared/features/domains/creation/schema.ts'
import { formIssues } from './form-issues.ts'

const id = '0198c1d0-0000-7000-8000-000000000001'
const channel = { kind: 'webhook', name: '', chatId: '', topicId: '', url: '', groupIds: [], criticalOnly: false, enabled: true }
const options = {
  path: '/',
  keyword: '',
  expectedStatus: '',
  followRedirects: true,
  timeoutSeconds: '',
  failuresToDown: '',
  successesToUp: '',
  downRegions: '',
  slowMs: '',
  certificateDays: '',
  expiryDays: '',
  expiryDaysAutoRenew: '',
}
const maintenance = { name: '', groupId: null, zoneIds: [], startsAt: '', endsAt: '', every: 'never', lastDay: '' }
const contact = {
  name: '',
  isDefault: true,
  firstName: '',
  lastName: '',
  organization: '',
  email: '',
  phone: '',
  address: '',
  city: '',
  region: '',
  postalCode: '',
  country: '',
  extra: {},
}
/** Each form in its empty state, with its required fields. */
const forms: Record<string, [schema: z.ZodType, values: object, required: string]> = {
  account: [addAccountInput, { name: '', email: '', apiKey: '', password: '', kind: 'global_key' }, 'email apiKey'],
  domain: [
    createZoneInput.omit({ accountId: true }),
    { domainName: '', ipAddress: '', groupId: null, registrarId: null },
    'domainName ipAddress',
  ],
  registrar: [
    newRegistrarForm(['username', 'apiKey']),
    { name: ' ', type: 'API_ENABLED', provider: 'OTHER', company: '', username: '', apiKey: '' },
    'name company username apiKey',
  ],
  tracker: [createTrackerInput, { kind: 'KEITARO', name: '', url: '', apiKey: '', addresses: [] }, 'name url apiKey'],
  group: [createGroupInput, { name: '', description: '', icon: null, color: '' }, 'name'],
  profile: [profileFields, { name: '', settings: { ssl: 'full' }, records: [] }, 'name'],
  'record of a profile': [
    profileFields,
    { name: '', settings: {}, records: [{ type: 'MX', name: '', content: '' }] },
    'name records.0.name records.0.content records.0.priority',
  ],
  'Telegram channel': [channelFields, { ...channel, kind: 'telegram' }, 'name chatId'],
  webhook: [channelFields, channel, 'name url'],
  checks: [
    optionFields,
    options,
    'expectedStatus timeoutSeconds failuresToDown successesToUp certificateDays expiryDays expiryDaysAutoRenew',
  ],
  'status page': [saveStatusPageInput, { groupId: id, title: '', slug: '', enabled: true }, 'slug title'],
  'maintenance window': [windowFields, maintenance, 'name startsAt endsAt'],
  user: [
    createUserInput,
    { username: '', email: '', name: '', password: '', role: 'user', spendLimitUsd: null },
    'username email password',
  ],
  share: [createShareFields, { user: '', level: 'view' }, 'user'],
  'token for buying': [createTokenInput, { name: '', scope: 'buy', spendLimitUsd: null, expiresAt: null }, 'name spendLimitUsd'],
  'token that expires': [createTokenInput, { name: '', scope: 'read', spendLimitUsd: null, expiresAt: '' }, 'name expiresAt'],
  contact: [createContactInput, contact, 'name firstName lastName email phone address city region postalCode country'],
  'sign in': [loginInput, { email: '', password: '' }, 'email password'],
  registration: [registerInput, { name: '', email: '', password: '', passwordConfirmation: '' }, 'email password passwordConfirmation'],
  password: [
    changePasswordInput,
    { currentPassword: '', password: '', passwordConfirmation: '' },
    'currentPassword password passwordConfirmation',
  ],
  'own profile': [
    updateProfileInput.pick({ name: true, username: true, email: true }),
    { name: '', username: '', email: '' },
    'username email',
  ],
  address: [changeIpInput.omit({ id: true }), { ipAddress: '' }, 'ipAddress'],
  'address of many': [ipRequest, { ipAddress: '', mode: 'replace' }, 'ipAddress'],
  code: [confirmTotpInput.pick({ code: true }), { code: '' }, 'code'],
  passkey: [addPasskeyInput.pick({ name: true }), { name: '' }, 'name'],
}

test.each(Object.entries(forms))(
  'R-APP-03 R-I18-04 an empty form (%s) names every required field together',
  (_name, [schema, values, required]) => {
    const issues = formIssues(schema.safeParse(values).error?.issues ?? [], values)
    expect(issues.map(({ path, message }) => `${path}: ${message}`).toSorted()).toEqual(
      required
        .split(' ')
        .map((field) => `${field}: required`)
        .toSorted(),
    )
  },
)

test('R-I18-04 an invalid value is reported as such and an empty one as required, also for a field with a dot in its name', () => {
  const values = { email: 'nobody', apiKey: '', kind: 'global_key' }
  const [email, key] = formIssues(addAccountInput.safeParse(values).error?.issues ?? [], values)
  expect([email, key]).toMatchObject([
    { path: 'email', message: 'invalid_email' },
    { path: 'apiKey', message: 'required' },
  ])
  const dotted = [{ code: 'custom', path: ['a.b'], message: 'invalid_value' }] as const
  expect(formIssues(dotted as never, { 'a.b': 'x' })).toMatchObject([{ message: 'invalid_value' }])
})
