import { expect, test } from 'vitest'
import { ruleFields } from './parameters.ts'
import type { RulePhase } from './phases.ts'

const base = { description: '', expression: 'true', enabled: true }

function issuesOf(phase: RulePhase, action: string, actionParameters: object | null, ratelimit: object | null = null) {
  const parsed = ruleFields(phase, action).safeParse({ ...base, actionParameters, ratelimit })
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test('a redirect has a target with a scheme, or an expression', () => {
  const to = (target: object) =>
    issuesOf('http_request_dynamic_redirect', 'redirect', { from_value: { target_url: target, status_code: 301 } })
  expect(to({ value: 'https://shop.example/new' })).toEqual([])
  expect(to({ expression: 'concat("https://www.", http.host)' })).toEqual([])
  expect(to({ value: 'shop.example' })).toEqual(['actionParameters.from_value.target_url.value: invalid_url'])
  expect(to({ expression: ' ' })).toEqual(['actionParameters.from_value.target_url.expression: required'])
})

test.each([
  ['http_request_transform', 'rewrite', { uri: {} }, 'actionParameters.uri: none_selected'],
  ['http_request_transform', 'rewrite', { uri: { path: { value: 'new' } } }, 'actionParameters.uri.path.value: starts_with_slash'],
  ['http_request_late_transform', 'rewrite', { headers: {} }, 'actionParameters.headers: none_selected'],
  ['http_request_late_transform', 'rewrite', { headers: { '': { operation: 'remove' } } }, 'actionParameters.headers.: required'],
  [
    'http_request_late_transform',
    'rewrite',
    { headers: { 'X Y': { operation: 'remove' } } },
    'actionParameters.headers.X Y: invalid_characters',
  ],
  [
    'http_request_late_transform',
    'rewrite',
    { headers: { 'X-Test': { operation: 'set', value: '' } } },
    'actionParameters.headers.X-Test.value: required',
  ],
  ['http_config_settings', 'set_config', {}, 'actionParameters: none_selected'],
  ['http_request_origin', 'route', {}, 'actionParameters: none_selected'],
  ['http_request_firewall_custom', 'skip', { phases: [] }, 'actionParameters: none_selected'],
  [
    'http_request_cache_settings',
    'set_cache_settings',
    { cache: true, edge_ttl: { mode: 'override_origin' } },
    'actionParameters.edge_ttl.default: required',
  ],
] as const)('parameters that would do nothing are rejected: %s %s %o', (phase, action, parameters, issue) => {
  expect(issuesOf(phase, action, parameters)).toEqual([issue])
})

test('parameters that no form knows are kept', () => {
  const parameters = { cache: true, cache_key: { ignore_query_strings_order: true } }
  const { actionParameters } = ruleFields('http_request_cache_settings', 'set_cache_settings').parse({
    ...base,
    actionParameters: parameters,
    ratelimit: null,
  })
  expect(actionParameters).toEqual(parameters)
})

test('only a rate limit needs a limit', () => {
  expect(
    issuesOf('http_ratelimit', 'block', {}, { characteristics: ['ip.src', 'cf.colo.id'], period: 10, requests_per_period: 50 }),
  ).toEqual([])
  expect(issuesOf('http_ratelimit', 'block', {}, { characteristics: [], period: 10, requests_per_period: 50 })).toEqual([
    'ratelimit.characteristics: none_selected',
  ])
  expect(issuesOf('http_request_firewall_custom', 'block', null)).toEqual([])
})
