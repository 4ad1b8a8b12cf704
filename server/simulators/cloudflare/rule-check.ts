import { isObject } from '../deliver.ts'
import type { JsonObject } from './call.ts'
import type { Permission, PlanId, RulePhase, SimZone } from './model.ts'
import { CloudflareError } from './reply.ts'
import { parseExpression } from './rule-expression.ts'

type PhaseKind = {
  readonly product: 'zone_waf' | 'dynamic_redirect' | 'cache_settings' | 'config_settings' | 'origin' | 'transform_rules'
  readonly actions: readonly string[]
  readonly quotas: Readonly<Record<PlanId, number>>
}

const many = { free: 10, pro: 25, business: 50, enterprise: 300 } as const
const challenges = ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'] as const

/** Source: the availability table of each product in developers.cloudflare.com; rate limits of Enterprise are not documented. */
const PHASES: Readonly<Record<RulePhase, PhaseKind>> = {
  http_request_dynamic_redirect: { product: 'dynamic_redirect', actions: ['redirect'], quotas: many },
  http_request_transform: { product: 'transform_rules', actions: ['rewrite'], quotas: many },
  http_config_settings: { product: 'config_settings', actions: ['set_config'], quotas: many },
  http_request_origin: { product: 'origin', actions: ['route'], quotas: many },
  http_request_firewall_custom: {
    product: 'zone_waf',
    actions: [...challenges, 'skip', 'execute'],
    quotas: { free: 5, pro: 20, business: 100, enterprise: 1_000 },
  },
  http_ratelimit: { product: 'zone_waf', actions: challenges, quotas: { free: 1, pro: 2, business: 5, enterprise: 100 } },
  http_request_late_transform: { product: 'transform_rules', actions: ['rewrite'], quotas: many },
  http_request_cache_settings: { product: 'cache_settings', actions: ['set_cache_settings'], quotas: many },
  http_response_headers_transform: { product: 'transform_rules', actions: ['rewrite'], quotas: many },
}

const products = [...new Set(Object.values(PHASES).map(({ product }) => product))]
/** Rulesets can be listed with the permission of any product. */
export const RULE_READERS: readonly Permission[] = products.map((product) => `${product}:read` as const)

export const LONGEST_EXPRESSION = 4_096
const PERIODS: Readonly<Record<PlanId, readonly number[]>> = {
  free: [10],
  pro: [10, 60],
  business: [10, 60, 600],
  enterprise: [10, 60, 120, 300, 600, 3_600],
}
/** What Free may use in the expression of a rate limit. */
const FREE_RATE_FIELDS = new Set([
  'http.request.uri.path',
  'http.request.uri.path.extension',
  'raw.http.request.uri.path',
  'cf.client.bot',
  'cf.verified_bot_category',
])

export function phaseOf(text: string): RulePhase {
  if (!isPhase(text)) throw refuseRule(20120, `unknown phase "${text}"`, '/phase')
  return text
}

const isPhase = (text: string): text is RulePhase => Object.hasOwn(PHASES, text)

export function rulePermission(phase: RulePhase, access: 'read' | 'edit'): Permission {
  return `${PHASES[phase].product}:${access}`
}

/** Where the codes and texts are from is described in the README of the integration. */
export function refuseRule(code: number, message: string, pointer: string): CloudflareError {
  return new CloudflareError(400, [{ code, message, source: { pointer } }])
}

export function requireQuota(zone: SimZone, phase: RulePhase, count: number): void {
  const quota = PHASES[phase].quotas[zone.plan]
  if (count > quota)
    throw refuseRule(50001, `exceeded the maximum number of rules in the phase ${phase}: ${count} out of ${quota}`, '/rules')
}

/** @param at where the rule is in the request, for the pointers of errors: empty or `/rules/0` */
export function checkRule(zone: SimZone, phase: RulePhase, rule: JsonObject, at: string): void {
  const { action, expression } = rule
  if (typeof action !== 'string' || action === '') {
    if (rule['action_parameters'] !== undefined) throw refuseRule(20120, 'action is required for action parameters', `${at}/action`)
    throw refuseRule(20120, `'' is not a valid value for action because the action cannot be blank`, `${at}/action`)
  }
  if (!PHASES[phase].actions.includes(action))
    throw refuseRule(20120, `action '${action}' is not allowed in the phase ${phase}`, `${at}/action`)
  if (typeof expression !== 'string' || expression.trim() === '')
    throw refuseRule(20125, `'' is not a valid value for expression because the expression cannot be blank`, `${at}/expression`)
  if (rule['action_parameters'] !== undefined && !isObject(rule['action_parameters']))
    throw refuseRule(20120, 'invalid JSON: action_parameters is not an object', `${at}/action_parameters`)
  checkExpression(zone, phase, expression, `${at}/expression`)
  checkAction(zone, phase, action, rule, at)
  if (phase === 'http_ratelimit') checkRateLimit(zone, action, rule['ratelimit'], `${at}/ratelimit`)
}

function checkExpression(zone: SimZone, phase: RulePhase, expression: string, pointer: string): void {
  if (expression.length > LONGEST_EXPRESSION) {
    const reason = `the expression is ${expression.length} characters long and the maximum is ${LONGEST_EXPRESSION}`
    throw refuseRule(20127, `'${expression}' is not a valid value for expression because ${reason}`, pointer)
  }
  const { problem, fields, functions, usesRegex } = parseExpression(expression)
  if (problem !== null)
    throw refuseRule(
      20127,
      `'${expression}' is not a valid value for expression because could not parse filter expression: ${problem}`,
      pointer,
    )
  const isRateLimit = phase === 'http_ratelimit'
  const hasRegex = zone.plan === 'business' || zone.plan === 'enterprise'
  const needed = isRateLimit ? 'an Advanced Rate Limiting plan is' : 'a Business plan or a WAF Advanced plan is'
  if (usesRegex && !hasRegex) throw notEntitled(`operator Matches`, needed, pointer)
  if (functions.has('regex_replace') && !hasRegex) throw notEntitled(`function regex_replace`, needed, pointer)
  for (const field of fields) {
    if (field.startsWith('cf.bot_management.') && zone.plan !== 'enterprise')
      throw notEntitled(`field ${field}`, 'a Bot Management plan is', pointer)
    if (isRateLimit && zone.plan === 'free' && !FREE_RATE_FIELDS.has(field))
      throw notEntitled(`field ${field}`, 'an higher Advanced Rate Limiting plan is', pointer)
  }
}

function checkAction(zone: SimZone, phase: RulePhase, action: string, rule: JsonObject, at: string): void {
  const parameters = isObject(rule['action_parameters']) ? rule['action_parameters'] : {}
  if (phase === 'http_request_firewall_custom' && action === 'log' && zone.plan !== 'enterprise')
    throw refuseRule(20120, 'not entitled to use the log action', `${at}/action`)
  if (action === 'route' && parameters['host_header'] !== undefined && zone.plan !== 'enterprise')
    throw refuseRule(20120, 'not entitled to use the HostHeader override', `${at}/action_parameters/host_header`)
  if (['redirect', 'rewrite', 'route', 'set_config', 'set_cache_settings', 'skip'].includes(action) && Object.keys(parameters).length === 0)
    throw refuseRule(20120, `action parameters are required for action '${action}'`, `${at}/action_parameters`)
}

function checkRateLimit(zone: SimZone, action: string, given: unknown, pointer: string): void {
  if (!isObject(given)) throw refuseRule(20155, 'ratelimit is required in the phase http_ratelimit', pointer)
  const { characteristics, period, mitigation_timeout: timeout, counting_expression: counting } = given
  if (!Array.isArray(characteristics) || !characteristics.includes('cf.colo.id')) {
    const why = 'this is required as ratelimiting counting is processed at colocation level only'
    throw refuseRule(20155, `characteristics field is missing 'cf.colo.id', ${why}`, `${pointer}/characteristics`)
  }
  const periods = PERIODS[zone.plan]
  if (typeof period !== 'number' || !periods.includes(period)) {
    const choice = `can only use a period among [${periods.join(' ')}]`
    throw refuseRule(20120, `not entitled to use the period ${String(period)}, ${choice}`, `${pointer}/period`)
  }
  if (zone.plan !== 'free') return
  if (timeout !== undefined && timeout !== 10)
    throw refuseRule(20120, 'not entitled to use a mitigation timeout different from 10', `${pointer}/mitigation_timeout`)
  if (action !== 'block') throw refuseRule(20120, `not entitled to use the ${action} action in ratelimiting`, '/action')
  if (counting !== undefined && counting !== '')
    throw refuseRule(
      20120,
      'not entitled to use a counting expression, an Advanced Rate Limiting plan is required',
      `${pointer}/counting_expression`,
    )
}

function notEntitled(use: string, needed: string, pointer: string): CloudflareError {
  return refuseRule(20120, `not entitled: the use of ${use} is not allowed, ${needed} required`, pointer)
}
