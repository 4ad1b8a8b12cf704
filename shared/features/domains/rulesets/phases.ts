/** Cloudflare's plans, lowest first. */
export const planTiers = ['free', 'pro', 'business', 'enterprise'] as const
export type PlanTier = (typeof planTiers)[number]

/** The tier of a plan's name as Cloudflare reports it, for example "Free Website"; null if it is unknown. */
export const planTier = (plan: string | null): PlanTier | null =>
  planTiers.find((tier) => plan !== null && plan.toLowerCase().includes(tier)) ?? null

interface PhaseKind {
  /** The actions that the panel offers; rules with other actions are shown and can be switched, moved and deleted. */
  readonly actions: readonly [string, ...string[]]
  /** Rules of one zone by plan; null where Cloudflare does not document it. */
  readonly limits: Readonly<Record<PlanTier, number | null>>
}

const manyRules = { free: 10, pro: 25, business: 50, enterprise: 300 } as const

/**
 * The phases whose rules the panel manages, in the order in which Cloudflare runs them. Source of the order:
 * developers.cloudflare.com/ruleset-engine/reference/phases-list; of the limits: the availability table of each product there.
 */
export const rulesetCatalog = {
  http_request_dynamic_redirect: { actions: ['redirect'], limits: manyRules },
  http_request_transform: { actions: ['rewrite'], limits: manyRules },
  http_config_settings: { actions: ['set_config'], limits: manyRules },
  http_request_origin: { actions: ['route'], limits: manyRules },
  http_request_firewall_custom: {
    actions: ['block', 'managed_challenge', 'js_challenge', 'challenge', 'skip', 'log'],
    limits: { free: 5, pro: 20, business: 100, enterprise: 1_000 },
  },
  http_ratelimit: {
    actions: ['block', 'managed_challenge', 'js_challenge', 'challenge', 'log'],
    limits: { free: 1, pro: 2, business: 5, enterprise: null },
  },
  http_request_late_transform: { actions: ['rewrite'], limits: manyRules },
  http_request_cache_settings: { actions: ['set_cache_settings'], limits: manyRules },
  http_response_headers_transform: { actions: ['rewrite'], limits: manyRules },
} as const satisfies Record<string, PhaseKind>

export type RulePhase = keyof typeof rulesetCatalog
export const rulePhases = Object.keys(rulesetCatalog) as [RulePhase, ...RulePhase[]]

/** The actions that a form offers. Cloudflare has Log on the Enterprise plan only (developers.cloudflare.com/waf/custom-rules). */
export const actionsFor = (phase: RulePhase, tier: PlanTier | null): readonly string[] =>
  rulesetCatalog[phase].actions.filter((action) => action !== 'log' || tier === null || tier === 'enterprise')

export type RuleAction = (typeof rulesetCatalog)[RulePhase]['actions'][number]
export const ruleActions: readonly RuleAction[] = [
  ...new Set(Object.values(rulesetCatalog).flatMap(({ actions }): RuleAction[] => [...actions])),
]

/** How many rules of this phase a zone of this plan may have; null if that is unknown. */
export function ruleLimit(phase: RulePhase, plan: string | null): number | null {
  const tier = planTier(plan)
  return tier === null ? null : rulesetCatalog[phase].limits[tier]
}

/** Page rules of one zone by plan. */
export const pageRuleLimits: Readonly<Record<PlanTier, number>> = { free: 3, pro: 20, business: 50, enterprise: 125 }

/** The beginning of the `ref` of every rule that the panel created; other rules are foreign. */
export const ownRefPrefix = 'zonedeck_'
export const isOwnRule = ({ ref }: { readonly ref: string | null }): boolean => ref?.startsWith(ownRefPrefix) === true

/** The longest expression of a rule, in characters. */
export const longestExpression = 4_096
