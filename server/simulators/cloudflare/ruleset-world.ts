import { hash32, hexId, pickWeighted, randomFrom } from '../random.ts'
import type { Random } from '../random.ts'
import type { RulePhase, SimRule, SimRuleset, SimZone } from './model.ts'
import type { State } from './state.ts'

type Fields = Readonly<Record<string, unknown>>

/** The rulesets of a zone by phase. Like its records, they are generated from the seed until they change. */
export function rulesetsOf(state: State, zone: SimZone): ReadonlyMap<RulePhase, SimRuleset> {
  return zone.changes?.rulesets ?? (zone.fromWorld && state.world.hasRules ? makeRulesets(zone) : NONE)
}

/** The same to be changed; from now on the zone stores them. */
export function writableRulesets(state: State, zone: SimZone): Map<RulePhase, SimRuleset> {
  const changes = state.changesOf(zone)
  changes.rulesets ??= new Map(rulesetsOf(state, zone))
  return changes.rulesets
}

const NONE: ReadonlyMap<RulePhase, SimRuleset> = new Map()

function makeRulesets(zone: SimZone): Map<RulePhase, SimRuleset> {
  const random = randomFrom(hash32(zone.serial, 80))
  const rulesets = new Map<RulePhase, SimRuleset>()
  if (random() < 0.4) return rulesets
  for (const [index, [phase, make]] of MAKERS.entries()) {
    const rules = make(zone, random)
    if (rules.length > 0) rulesets.set(phase, rulesetOf(zone, random, index, phase, rules))
  }
  return rulesets
}

/** Every version has one rule more than the one before, as when a person adds them one by one. */
function rulesetOf(zone: SimZone, random: Random, index: number, phase: RulePhase, given: readonly Fields[]): SimRuleset {
  const rules = given.map((fields, at): SimRule => {
    const id = hexId(zone.serial, 82, index, at)
    // Rules of Terraform have a reference of their own.
    const ref = random() < 0.2 ? `terraform_${at + 1}` : id
    return { id, ref, version: 1, lastUpdatedMs: zone.createdOnMs + (at + 1) * 600_000, fields }
  })
  const versions = rules.map((rule, at) => ({ version: at + 1, lastUpdatedMs: rule.lastUpdatedMs, rules: rules.slice(0, at + 1) }))
  return { id: hexId(zone.serial, 81, index), phase, name: 'default', description: '', versions }
}

const MAKERS: readonly (readonly [RulePhase, (zone: SimZone, random: Random) => readonly Fields[]])[] = [
  ['http_request_firewall_custom', firewallRules],
  ['http_request_dynamic_redirect', redirects],
  ['http_request_cache_settings', cacheRules],
  ['http_ratelimit', rateLimits],
  ['http_response_headers_transform', headerRules],
  ['http_config_settings', configRules],
]

const rule = (description: string, expression: string, action: string, more: Fields = {}): Fields => ({
  action,
  description,
  enabled: true,
  expression,
  ...more,
})

function firewallRules(zone: SimZone, random: Random): Fields[] {
  const catalog = [
    rule('Verified bots pass', '(cf.client.bot)', 'skip', { action_parameters: { ruleset: 'current' }, logging: { enabled: true } }),
    rule('Login only from home', '(http.request.uri.path eq "/wp-login.php" and not ip.src.country in {"DE" "PL"})', 'managed_challenge'),
    rule('xmlrpc', '(http.request.uri.path eq "/xmlrpc.php")', 'block'),
    rule('Scanners', '(http.user_agent contains "sqlmap") or (http.user_agent contains "nikto")', 'block'),
    rule('Hosting networks', '(ip.src.asnum in {16276 24940 14061} and not cf.client.bot)', 'js_challenge', { enabled: random() < 0.7 }),
    rule('Office', `(ip.src in {192.0.2.0/24 2001:db8::/32} and http.host eq "${zone.name}")`, 'skip', {
      action_parameters: { phases: ['http_ratelimit'], products: ['waf'] },
      logging: { enabled: true },
    }),
  ]
  return catalog
    .filter(() => random() < 0.45)
    .slice(
      0,
      pickWeighted(random, [
        [3, 8],
        [4, 3],
        [5, 1],
      ] as const),
    )
}

function redirects(zone: SimZone, random: Random): Fields[] {
  const to = (expression: string, status: number) => ({
    action_parameters: { from_value: { target_url: { expression }, status_code: status, preserve_query_string: true } },
  })
  return [
    rule('www to apex', `(http.host eq "www.${zone.name}")`, 'redirect', to(`concat("https://${zone.name}", http.request.uri.path)`, 301)),
    rule('Old shop', `(starts_with(http.request.uri.path, "/shop/"))`, 'redirect', {
      action_parameters: { from_value: { target_url: { value: `https://${zone.name}/store` }, status_code: 302 } },
    }),
  ].filter(() => random() < 0.3)
}

function cacheRules(_zone: SimZone, random: Random): Fields[] {
  if (random() >= 0.25) return []
  const settings = { cache: true, edge_ttl: { mode: 'override_origin', default: 7_200 }, browser_ttl: { mode: 'respect_origin' } }
  return [
    rule('Admin is not cached', '(starts_with(http.request.uri.path, "/wp-admin/"))', 'set_cache_settings', {
      action_parameters: { cache: false },
    }),
    rule('Static files', '(http.request.uri.path.extension in {"css" "js" "png" "jpg" "webp"})', 'set_cache_settings', {
      action_parameters: settings,
    }),
  ]
}

function rateLimits(_zone: SimZone, random: Random): Fields[] {
  if (random() >= 0.12) return []
  const ratelimit = { characteristics: ['ip.src', 'cf.colo.id'], period: 10, requests_per_period: 20, mitigation_timeout: 10 }
  return [rule('Login attempts', '(http.request.uri.path eq "/wp-login.php")', 'block', { ratelimit })]
}

function headerRules(_zone: SimZone, random: Random): Fields[] {
  if (random() >= 0.1) return []
  const headers = { 'X-Frame-Options': { operation: 'set', value: 'SAMEORIGIN' }, 'X-Powered-By': { operation: 'remove' } }
  return [rule('Security headers', 'true', 'rewrite', { action_parameters: { headers } })]
}

function configRules(zone: SimZone, random: Random): Fields[] {
  if (random() >= 0.06) return []
  return [rule('Strict SSL for api', `(http.host eq "api.${zone.name}")`, 'set_config', { action_parameters: { ssl: 'strict' } })]
}
