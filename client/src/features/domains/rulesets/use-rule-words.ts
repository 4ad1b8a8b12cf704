import { useTranslation } from 'react-i18next'
import {
  configSettings,
  countingPlace,
  skippablePhases,
  skippableProducts,
  type ConfigSetting,
} from '#shared/features/domains/rulesets/choices.ts'
import { ruleActions, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { counted, formatDuration, formatNumber } from '#client/lib/format.ts'
import { joinFacts } from '#client/lib/text.ts'
import { numberOf, objectOf, textOf, textsOf, type Parameters } from './read-json.ts'

const longestTitle = 80

/** The name of a rule: its description, or the beginning of its expression. */
export function useRuleTitle() {
  const { t } = useTranslation('rulesets')
  return ({ description, expression }: Pick<RuleDefinition, 'description' | 'expression'>): string => {
    const title = description.trim() === '' ? expression : description
    if (title === '') return t('untitled')
    return title.length > longestTitle ? `${title.slice(0, longestTitle)}…` : title
  }
}

/** The name of an action; of an unknown one, Cloudflare's own. */
export function useActionName() {
  const { t } = useTranslation('rule-names')
  return (action: string): string => {
    const known = ruleActions.find((each) => each === action)
    return known === undefined ? action : t(`actions.${known}`)
  }
}

const settings = Object.keys(configSettings) as ConfigSetting[]
const settingValues = Object.values(configSettings)
  .flat()
  .filter((value) => typeof value === 'string')

/** A value or an expression. */
const targetOf = (value: Parameters): string | null => textOf(value['value']) ?? textOf(value['expression'])

/** What a rule does, in a few words, without its action's name. */
export function useParameterWords() {
  const { t } = useTranslation('rulesets')
  const lifetime = (words: Parameters, where: 'edge' | 'browser'): string | null => {
    const seconds = numberOf(words['default'])
    return words['mode'] === 'override_origin' && seconds !== null ? t(`words.${where}`, { time: formatDuration(seconds) }) : null
  }
  const limitWords = (limit: Parameters): string | null => {
    const requests = numberOf(limit['requests_per_period'])
    const period = numberOf(limit['period'])
    if (requests === null || period === null) return null
    const by = textsOf(limit['characteristics']).filter((each) => each !== countingPlace)
    return joinFacts(
      t('words.requests', { ...counted(requests), period: formatDuration(period) }),
      by.length === 0 ? null : t('words.counted_by', { by: by.join(', ') }),
    )
  }
  const valueWords = (value: string): string => {
    const known = settingValues.find((each) => each === value)
    return known === undefined ? value : t(`form.values.${known}`)
  }
  const phaseName = (phase: string): string => {
    const known = skippablePhases.find((each) => each === phase)
    return known === undefined ? t('words.skip_phase', { phase }) : t(`form.phases.${known}`)
  }
  const productName = (product: string): string => {
    const known = skippableProducts.find((each) => each === product)
    return known === undefined ? product : t(`form.products.${known}`)
  }
  const settingWords = (name: string, value: unknown): string => {
    const known = settings.find((each) => each === name)
    const label = known === undefined ? name : t(`form.config.${known}`)
    const isOff = value === false || name.startsWith('disable_')
    if (typeof value === 'boolean') return `${label}: ${t(isOff ? 'off' : 'on')}`
    return typeof value === 'string' ? `${label}: ${valueWords(value)}` : label
  }
  const ofAction = ({ action, actionParameters }: RuleDefinition): string | null => {
    const parameters = actionParameters ?? {}
    switch (action) {
      case 'redirect': {
        const value = objectOf(parameters['from_value'])
        const target = targetOf(objectOf(value['target_url']))
        return target === null ? null : `${numberOf(value['status_code']) ?? 301} → ${target}`
      }
      case 'rewrite': {
        const uri = objectOf(parameters['uri'])
        const path = targetOf(objectOf(uri['path']))
        const query = targetOf(objectOf(uri['query']))
        const headers = Object.entries(objectOf(parameters['headers'])).map(([name, value]) => {
          const operation = textOf(objectOf(value)['operation'])
          if (operation === 'remove') return `− ${name}`
          return `${operation === 'add' ? '+ ' : ''}${name}: ${targetOf(objectOf(value)) ?? ''}`
        })
        return joinFacts(
          path === null ? null : t('words.path', { path }),
          query === null ? null : query === '' ? t('words.no_query') : t('words.query', { query }),
          ...headers,
        )
      }
      case 'set_config':
        return joinFacts(...Object.entries(parameters).map(([name, value]) => settingWords(name, value)))
      case 'route': {
        const origin = objectOf(parameters['origin'])
        const port = numberOf(origin['port'])
        return joinFacts(
          textOf(origin['host']) === null ? null : t('words.server', { server: textOf(origin['host']) ?? '' }),
          port === null ? null : t('words.port', { port: String(port) }),
          textOf(parameters['host_header']) === null ? null : `Host: ${textOf(parameters['host_header']) ?? ''}`,
          textOf(objectOf(parameters['sni'])['value']) === null ? null : `SNI: ${textOf(objectOf(parameters['sni'])['value']) ?? ''}`,
        )
      }
      case 'block': {
        const status = numberOf(objectOf(parameters['response'])['status_code'])
        return status === null ? null : String(status)
      }
      case 'skip':
        return joinFacts(
          parameters['ruleset'] === 'current' ? t('words.skip_rest') : null,
          ...textsOf(parameters['phases']).map(phaseName),
          ...textsOf(parameters['products']).map(productName),
        )
      case 'set_cache_settings':
        return joinFacts(
          parameters['cache'] === false ? t('words.bypass') : parameters['cache'] === true ? t('words.eligible') : null,
          lifetime(objectOf(parameters['edge_ttl']), 'edge'),
          lifetime(objectOf(parameters['browser_ttl']), 'browser'),
        )
      default:
        return null
    }
  }
  return (rule: RuleDefinition): string => joinFacts(ofAction(rule), rule.ratelimit === null ? null : limitWords(rule.ratelimit))
}

/** Name and explanation of a phase, and the permission of a token that its rules need. */
export function usePhaseWords() {
  const { t } = useTranslation(['rulesets', 'rule-names'])
  return (phase: RulePhase) => ({
    name: t(`rule-names:phases.${phase}`),
    text: t(`phases.${phase}.text`),
    consequence: t(`phases.${phase}.deleted`),
    permission: permissions[phase],
  })
}

/** The names of Cloudflare's permissions, as in its dashboard. */
const permissions: Readonly<Record<RulePhase, string>> = {
  http_request_dynamic_redirect: 'Single Redirect Edit',
  http_request_transform: 'Transform Rules Edit',
  http_config_settings: 'Config Rules Edit',
  http_request_origin: 'Origin Rules Edit',
  http_request_firewall_custom: 'Zone WAF Edit',
  http_ratelimit: 'Zone WAF Edit',
  http_request_late_transform: 'Transform Rules Edit',
  http_request_cache_settings: 'Cache Rules Edit',
  http_response_headers_transform: 'Transform Rules Edit',
}

/** Names of plans are the same in every language. */
export const planNames = { free: 'Free', pro: 'Pro', business: 'Business', enterprise: 'Enterprise' } as const

/** How much of the plan's limit is used. */
export function useUsageWords() {
  const { t } = useTranslation('rulesets')
  return (used: number, limit: number | null, plan: string | null): string | null => {
    if (limit === null) return used === 0 ? null : formatNumber(used)
    const words = { used: formatNumber(used), limit: formatNumber(limit) }
    return plan === null ? t('used', words) : t('used_on', { ...words, plan })
  }
}
