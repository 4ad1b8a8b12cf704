import { expect, test } from 'vitest'
import { isSecondFactorRequired } from './get-two-factor.ts'

test.each([
  ['everyone', true, true],
  ['admins', true, false],
  ['optional', false, false],
] as const)('a second factor for %s: administrators %s, others %s', (policy, admin, user) => {
  expect([isSecondFactorRequired(policy, 'admin'), isSecondFactorRequired(policy, 'user')]).toEqual([admin, user])
})
