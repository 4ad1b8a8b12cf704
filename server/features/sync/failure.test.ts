import { expect, test } from 'vitest'
import { AppError } from '#shared/errors/app-error.ts'
import { backoffSeconds, failureOf } from './failure.ts'

test('R-ERR-01 only the provider’s message is quoted: a failed connection keeps the system’s code, other failures nothing', () => {
  const lookup = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  const unreached = new AppError('provider_unavailable', { params: { status: 0 }, cause: new Error('unreached', { cause: lookup }) })
  expect(failureOf(unreached, 0)).toMatchObject({ health: 'api_error', code: 'provider_unreachable', message: 'ENOTFOUND' })
  expect(failureOf(new AppError('provider_timeout'), 0)).toMatchObject({ code: 'provider_timeout', message: null })
  const refused = new AppError('provider_auth', { provider: { code: '9103', message: 'Unknown X-Auth-Key' } })
  expect(failureOf(refused, 0)).toMatchObject({ health: 'auth_error', code: '9103', message: 'Unknown X-Auth-Key' })
  expect(failureOf(new Error('ours'), 0)).toBeNull()
})

test('delays double up to the maximum', () => {
  expect([0, 1, 3, 10, 5_000].map((failures) => backoffSeconds(failures, 30, 3_600))).toEqual([30, 60, 240, 3_600, 3_600])
  expect(backoffSeconds(40, 1, Infinity)).toBe(2 ** 30)
})
