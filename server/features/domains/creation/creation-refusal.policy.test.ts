import { expect, test } from 'vitest'
import { AppError } from '#shared/errors/app-error.ts'
import { refusalOf } from './creation-refusal.policy.ts'

const refused = (
  code: string | undefined,
  given: { by?: 'provider_auth' | 'provider_forbidden'; status?: number; message?: string } = {},
) =>
  new AppError(given.by ?? 'provider_rejected', {
    params: { status: given.status ?? 400, kept: 'yes' },
    provider: { ...(code !== undefined && { code }), message: given.message ?? 'No.' },
  })

test.each([
  ['1049', 'zone_not_registered'],
  ['1061', 'zone_exists'],
  ['1093', 'zone_not_root'],
  ['1097', 'zone_refused'],
  ['1098', 'zone_refused_for_now'],
  ['1099', 'zone_not_root'],
  ['1105', 'zone_too_many_tries'],
  ['1106', 'account_may_not_add'],
  ['1110', 'zone_lookup_failed'],
  ['1116', 'zone_not_root'],
  ['1118', 'account_limit_reached'],
] as const)('Cloudflare’s %s is reported as %s, together with its own message', (given, code) => {
  const error = refused(given)
  const meant = refusalOf(error, 'bulk')
  expect(meant).toMatchObject({ code, params: { kept: 'yes' }, provider: { code: given, message: 'No.' } })
  expect(meant.cause).toBe(error)
})

test('a zone hold is recognized by its message regardless of the code', () => {
  expect(refusalOf(refused('9999', { message: 'There is a Zone Hold on it.' }), 'person').code).toBe('zone_held')
  expect(refusalOf(refused(undefined, { message: 'zone hold' }), 'person').code).toBe('zone_held')
})

test('errors that are not Cloudflare refusals, and refusals of other subjects, stay unchanged', () => {
  const own = new AppError('provider_forbidden')
  expect(refusalOf(own, 'bulk')).toBe(own)
  for (const code of ['7003', undefined]) {
    const other = refused(code)
    expect(refusalOf(other, 'bulk')).toBe(other)
  }
})

test('a missing permission is retried after a minute in an operation, while a user gets the provider’s message', () => {
  const later = { code: 'provider_unavailable', params: { retryAfterSeconds: 60, kept: 'yes' }, provider: { code: '10000' } }
  const forbidden = refused('10000', { by: 'provider_auth', status: 403 })
  expect(refusalOf(forbidden, 'bulk')).toMatchObject(later)
  expect(refusalOf(forbidden, 'bulk').cause).toBe(forbidden)
  expect(refusalOf(forbidden, 'person')).toBe(forbidden)
  const bad = refused('10000', { by: 'provider_auth', status: 401 })
  expect(refusalOf(bad, 'bulk')).toBe(bad)
})

test('a temporary refusal is distinguished from a permanent one', () => {
  expect(refusalOf(refused('1', { by: 'provider_forbidden' }), 'person')).toMatchObject({ code: 'provider_unavailable' })
  for (const code of ['9109', '1068']) {
    const stays = refused(code, { by: 'provider_forbidden' })
    expect(refusalOf(stays, 'bulk')).toBe(stays)
  }
})
