import { expect, test } from 'vitest'
import { emptyRuleset } from '#server/features/domains/rulesets/stored-rulesets.ts'
import type { StoredRule } from '#server/features/domains/rulesets/index.ts'
import { rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import { redirectPhase } from '#shared/features/redirects/own-list.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { decideByRules } from './decide-by-rules.policy.ts'
import { domainRule, planDomainRule } from './domain-rule.policy.ts'

const whole: Redirect = {
  source: 'a.example/',
  target: 'https://t.example/',
  status: 302,
  preserveQueryString: false,
  includeSubdomains: true,
  subpathMatching: true,
  preservePathSuffix: true,
}
const stored = (definition: StoredRule['definition'], ref = 'zonedeck_redirect'): StoredRule => ({
  id: ref,
  ref,
  version: '1',
  modifiedAt: null,
  definition,
})

/** Where a visit ends, as the URL test computes it from the rule. */
const visit = (redirect: Partial<Redirect>, url: string): string | null =>
  decideByRules([stored(domainRule('a.example', { ...whole, ...redirect }))], new URL(url)).redirect?.url.href ?? null

test.each([
  [{}, 'https://a.example/x/y', 'https://t.example/x/y'],
  [{}, 'https://www.a.example/', 'https://t.example/'],
  [{ includeSubdomains: false }, 'https://www.a.example/', null],
  [{ includeSubdomains: false }, 'https://a.example/x', 'https://t.example/x'],
  [{ preserveQueryString: true }, 'https://a.example/x?q=1', 'https://t.example/x?q=1'],
  [{ target: 'https://t.example/shop/' }, 'https://a.example/x', 'https://t.example/shop/x'],
  [{ target: 'https://t.example/shop?from=a#top' }, 'https://a.example/x', 'https://t.example/shop/x?from=a#top'],
  [{ target: 'https://t.example/?q="\\' }, 'https://a.example/x', 'https://t.example/x?q=%22\\'],
  [{ target: 'https://t.example/shop?a=1', preservePathSuffix: false }, 'https://a.example/x', 'https://t.example/shop?a=1'],
] satisfies [Partial<Redirect>, string, string | null][])('the rule for %o sends %s to %s', (redirect, from, to) => {
  expect(visit(redirect, from)).toBe(to)
})

const after = domainRule('a.example', whole)
const mirrorOf = (rules: readonly StoredRule[], problem: { code: string; message: string | null } | null = null) => ({
  rulesets: rulePhases.map((phase) => ({ ...emptyRuleset(phase), ...(phase === redirectPhase && { rules: [...rules], problem }) })),
  pageRules: { rules: [], problem: null },
  readAt: new Date(0),
})
const others = (count: number) => Array.from({ length: count }, (_, at) => stored({ ...after, description: `Rule ${at}` }, `theirs-${at}`))

test('a rule is added after the others as far as the plan allows; the own one is replaced in its place', () => {
  const former = { ...after, description: 'former' }
  expect(planDomainRule(after, mirrorOf(others(9)), 'Free Website')).toEqual({ before: null, after, position: 10, reading: 'read' })
  expect(planDomainRule(after, mirrorOf(others(10)), 'Free Website')).toEqual({ refused: 'rule_quota_reached' })
  expect(planDomainRule(after, mirrorOf(others(10)), 'Pro Website')).toMatchObject({ position: 11 })
  expect(planDomainRule(after, mirrorOf([stored(former), ...others(9)]), 'Free Website')).toEqual({
    before: former,
    after,
    position: 1,
    reading: 'read',
  })
  expect(planDomainRule(after, mirrorOf([stored(after)]), null)).toEqual({ unchanged: true })
})

test('rules that were not read, or that the credential may not read, are marked', () => {
  expect(planDomainRule(after, undefined, 'Free Website')).toMatchObject({ before: null, reading: 'unread' })
  expect(planDomainRule(after, mirrorOf([], { code: 'provider_forbidden', message: null }), null)).toMatchObject({ reading: 'forbidden' })
})
