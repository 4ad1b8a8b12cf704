import { countingPlace } from '#shared/features/domains/rulesets/choices.ts'
import { rulesetCatalog, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import type { Parameters } from './read-json.ts'

/** The form of a rule; its action is chosen beside it. */
export interface RuleDraft extends Record<string, unknown> {
  description: string
  expression: string
  enabled: boolean
  actionParameters: Parameters | null
  ratelimit: Parameters | null
}

export const firstAction = (phase: RulePhase): string => rulesetCatalog[phase].actions[0]

/** The parameters that a new rule starts with. */
export function firstParameters(phase: RulePhase, action: string): Parameters | null {
  switch (action) {
    case 'redirect':
      return { from_value: { target_url: { value: '' }, status_code: 301, preserve_query_string: true } }
    case 'rewrite':
      return phase === 'http_request_transform' ? { uri: { path: { value: '' } } } : { headers: { '': { operation: 'set', value: '' } } }
    case 'skip':
      return { ruleset: 'current' }
    case 'set_cache_settings':
      return { cache: true }
    case 'set_config':
    case 'route':
      return {}
    default:
      return null
  }
}

const firstLimit: Parameters = {
  characteristics: ['ip.src', countingPlace],
  period: 10,
  requests_per_period: 50,
  mitigation_timeout: 10,
}

export const emptyDraft = (phase: RulePhase): RuleDraft => ({
  description: '',
  expression: '',
  enabled: true,
  actionParameters: firstParameters(phase, firstAction(phase)),
  ratelimit: phase === 'http_ratelimit' ? firstLimit : null,
})

export const draftOf = ({ description, expression, enabled, actionParameters, ratelimit }: RuleDefinition): RuleDraft => ({
  description,
  expression,
  enabled,
  actionParameters,
  ratelimit,
})
