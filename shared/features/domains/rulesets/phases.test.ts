import { expect, test } from 'vitest'
import { isOwnRule, planTier, ruleLimit } from './phases.ts'

test('the tier of a plan is found in its name', () => {
  expect(['Free Website', 'Pro Plan', 'Business Website', 'Enterprise Website', 'Other', null].map(planTier)).toEqual([
    'free',
    'pro',
    'business',
    'enterprise',
    null,
    null,
  ])
})

test('the number of rules depends on phase and plan', () => {
  expect(ruleLimit('http_request_firewall_custom', 'Free Website')).toBe(5)
  expect(ruleLimit('http_request_dynamic_redirect', 'Enterprise Website')).toBe(300)
  expect(ruleLimit('http_ratelimit', 'Enterprise Website')).toBeNull()
  expect(ruleLimit('http_request_origin', null)).toBeNull()
})

test('a rule is ours by its reference', () => {
  expect([{ ref: 'zonedeck_1' }, { ref: 'other' }, { ref: null }].map(isOwnRule)).toEqual([true, false, false])
})
