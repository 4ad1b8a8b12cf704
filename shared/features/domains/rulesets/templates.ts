import { countingPlace } from './choices.ts'
import type { RulePhase } from './phases.ts'
import type { RuleDefinition } from './schema.ts'

type Definition = Pick<RuleDefinition, 'expression' | 'action'> & Partial<Pick<RuleDefinition, 'actionParameters' | 'ratelimit'>>

const redirectTo = (expression: string) => ({
  from_value: { target_url: { expression }, status_code: 301, preserve_query_string: true },
})

interface Template {
  readonly phase: RulePhase
  /** `list`: the countries in the form of the place that the rule is for. */
  readonly rule: (zoneName: string, list: string) => Definition
  /** Its countries, and the variable that has them in a profile. */
  readonly list?: { readonly name: string; readonly values: readonly string[] }
}

/**
 * Ready rules to start from, for every plan; their names and explanations are texts. `zoneName` is in Punycode. In the lists of countries,
 * hosts and paths is an example that the user replaces.
 */
const templates = {
  force_https: {
    phase: 'http_request_dynamic_redirect',
    rule: () => ({
      expression: 'not ssl',
      action: 'redirect',
      actionParameters: redirectTo('concat("https://", http.host, http.request.uri.path)'),
    }),
  },
  without_www: {
    phase: 'http_request_dynamic_redirect',
    rule: (zoneName) => ({
      expression: `http.host eq "www.${zoneName}"`,
      action: 'redirect',
      actionParameters: redirectTo(`concat("https://${zoneName}", http.request.uri.path)`),
    }),
  },
  with_www: {
    phase: 'http_request_dynamic_redirect',
    rule: (zoneName) => ({
      expression: `http.host eq "${zoneName}"`,
      action: 'redirect',
      actionParameters: redirectTo(`concat("https://www.${zoneName}", http.request.uri.path)`),
    }),
  },
  // Keitaro's postback address is https://<tracker>/<key>/postback (docs.keitaro.io, "Postback").
  skip_postback: {
    phase: 'http_request_firewall_custom',
    rule: () => ({
      expression: 'ends_with(http.request.uri.path, "/postback")',
      action: 'skip',
      actionParameters: { ruleset: 'current', phases: ['http_ratelimit'], products: ['bic', 'securityLevel', 'uaBlock'] },
    }),
  },
  allow_countries: {
    phase: 'http_request_firewall_custom',
    rule: (_zoneName, list) => ({ expression: `not ip.src.country in ${list} and not cf.client.bot`, action: 'block' }),
    list: { name: 'allowed_countries', values: ['US', 'CA'] },
  },
  block_countries: {
    phase: 'http_request_firewall_custom',
    rule: (_zoneName, list) => ({ expression: `ip.src.country in ${list} and not cf.client.bot`, action: 'block' }),
    list: { name: 'blocked_countries', values: ['CN', 'KP'] },
  },
  verified_bots: {
    phase: 'http_request_firewall_custom',
    rule: () => ({
      expression:
        '(lower(http.user_agent) contains "bot" or lower(http.user_agent) contains "crawl" or lower(http.user_agent) contains "spider") and not cf.client.bot',
      action: 'block',
    }),
  },
  secret_files: {
    phase: 'http_request_firewall_custom',
    rule: () => ({
      expression:
        'http.request.uri.path contains "/.env" or http.request.uri.path contains "/.git/" or http.request.uri.path eq "/wp-login.php" or http.request.uri.path eq "/xmlrpc.php"',
      action: 'block',
    }),
  },
  throttle: {
    phase: 'http_ratelimit',
    rule: () => ({
      expression: 'starts_with(http.request.uri.path, "/") and not cf.client.bot',
      action: 'block',
      ratelimit: { characteristics: ['ip.src', countingPlace], period: 10, requests_per_period: 50, mitigation_timeout: 10 },
    }),
  },
  cache_files: {
    phase: 'http_request_cache_settings',
    rule: () => ({
      expression: 'not http.request.uri.path.extension in {"" "html" "htm" "php" "aspx"}',
      action: 'set_cache_settings',
      actionParameters: { cache: true, edge_ttl: { mode: 'override_origin', default: 86_400 } },
    }),
  },
} as const satisfies Record<string, Template>

export type RuleTemplate = keyof typeof templates
const names = Object.keys(templates) as RuleTemplate[]

/** It applies only to the rules after it, so it comes first. */
export const isFirst = (template: RuleTemplate): boolean => template === 'skip_postback'

export const templatesOf = (phase: RulePhase): RuleTemplate[] => names.filter((name) => templates[name].phase === phase)

const listOf = (template: RuleTemplate): Template['list'] => (templates[template] as Template).list

/** The variables of a profile that a template uses. */
export function variablesOf(template: RuleTemplate): { name: string; kind: 'countries'; values: string[] }[] {
  const list = listOf(template)
  return list === undefined ? [] : [{ name: list.name, kind: 'countries', values: [...list.values] }]
}

/** The rule of a template for a zone, without a description; for a profile its countries are a variable. */
export function ruleFrom(template: RuleTemplate, zoneName: string, withVariables = false): Omit<RuleDefinition, 'description'> {
  const { name, values = [] } = listOf(template) ?? {}
  const list = withVariables && name !== undefined ? `{{${name}}}` : `{${values.map((value) => `"${value}"`).join(' ')}}`
  return { enabled: true, actionParameters: null, ratelimit: null, ...(templates[template] as Template).rule(zoneName, list) }
}
