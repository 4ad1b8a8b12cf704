import { expect, test } from 'vitest'
import { actionsFor, isOwnRule, planTier, ruleLimit } from './phases.ts'

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

test('the action Log is offered for the Enterprise plan, and where the plan is unknown', () => {
  const waf = 'http_request_firewall_custom'
  expect(([null, 'free', 'pro', 'business', 'enterprise'] as const).map((tier) => actionsFor(waf, tier).includes('log'))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
  expect(actionsFor(waf, 'free')).toContain('skip')
})

test('a rule is ours by its reference', () => {
  expect([{ ref: 'zonedeck_1' }, { ref: 'other' }, { ref: null }].map(isOwnRule)).toEqual([true, false, false])
})
