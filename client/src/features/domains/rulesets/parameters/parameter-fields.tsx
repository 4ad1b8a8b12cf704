import type { PlanTier, RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { CacheFields } from './cache-fields.tsx'
import { ConfigFields } from './config-fields.tsx'
import { BlockFields, SkipFields } from './firewall-fields.tsx'
import { HeaderFields } from './header-fields.tsx'
import type { ParameterFieldsProps } from './labeled.tsx'
import { OriginFields } from './origin-fields.tsx'
import { RedirectFields } from './redirect-fields.tsx'
import { RewriteFields } from './rewrite-fields.tsx'

/** The form of an action's parameters; some actions have none. */
export function ParameterFields({
  phase,
  action,
  tier,
  ...props
}: ParameterFieldsProps & { phase: RulePhase; action: string; tier: PlanTier | null }) {
  switch (action) {
    case 'redirect':
      return <RedirectFields {...props} />
    case 'rewrite':
      return phase === 'http_request_transform' ? <RewriteFields {...props} /> : <HeaderFields {...props} />
    case 'set_config':
      return <ConfigFields {...props} />
    case 'route':
      return <OriginFields {...props} />
    case 'block':
      return <BlockFields {...props} tier={tier} />
    case 'skip':
      return <SkipFields {...props} />
    case 'set_cache_settings':
      return <CacheFields {...props} />
    default:
      return null
  }
}
