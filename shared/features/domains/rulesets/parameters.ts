import { z } from 'zod'
import { blockContentTypes, headerOperations, redirectStatuses } from './choices.ts'
import type { RulePhase } from './phases.ts'
import { ruleInput } from './schema.ts'

/**
 * What the panel's forms check in the parameters of a rule, with Cloudflare's names. Parameters that no form knows are kept unchanged, and
 * Cloudflare checks all of them. Source: the types of the official `cloudflare` package (`resources/rulesets/rules.d.ts`).
 */
const filled = z.string().trim().min(1, 'required').max(4_096, 'too_long')
const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** A fixed value, or an expression that is computed for every request. */
const computed = (value: z.ZodType<string>) => z.looseObject({ value: value.optional(), expression: filled.optional() })
const seconds = z.int().min(0).max(31_536_000)
const isSet = (value: object): boolean => Object.values(value).some((each) => each !== undefined)

const redirect = z.looseObject({
  from_value: z.looseObject({
    target_url: computed(filled.refine(isWebAddress, 'invalid_url')),
    status_code: z.literal(redirectStatuses).optional(),
    preserve_query_string: z.boolean().optional(),
  }),
})

const uriParts = z.looseObject({
  path: computed(filled.startsWith('/', 'starts_with_slash')).optional(),
  // An empty query removes it.
  query: computed(z.string().trim().max(4_096, 'too_long')).optional(),
})
const rewriteUri = z.looseObject({ uri: uriParts.refine(isSet, 'none_selected') })

const header = z.looseObject({ operation: z.enum(headerOperations), value: filled.optional(), expression: filled.optional() })
const isHeaderName = (name: string): boolean => /^[\w-]+$/.test(name)
const rewriteHeaders = z.looseObject({
  headers: z
    .record(z.string(), header)
    .refine((headers) => Object.keys(headers).length > 0, 'none_selected')
    // The schema of a record's keys would report only that a key is invalid, not why.
    .superRefine((headers, context) => {
      for (const name of Object.keys(headers))
        if (!isHeaderName(name))
          context.addIssue({ code: 'custom', path: [name], message: name === '' ? 'required' : 'invalid_characters' })
    }),
})

const config = z.looseObject({}).refine(isSet, 'none_selected')

const origin = z
  .looseObject({
    host_header: filled.optional(),
    sni: z.looseObject({ value: filled }).optional(),
    origin: z.looseObject({ host: filled.optional(), port: z.int().min(1).max(65_535).optional() }).optional(),
  })
  .refine(isSet, 'none_selected')

const block = z.looseObject({
  response: z
    .looseObject({
      status_code: z.int().min(400).max(499),
      content_type: z.enum(blockContentTypes),
      content: filled.max(2_048, 'too_long'),
    })
    .optional(),
})

const skip = z
  .looseObject({
    ruleset: z.literal('current').optional(),
    phases: z.array(z.string()).optional(),
    products: z.array(z.string()).optional(),
  })
  .refine(({ phases = [], products = [], ...others }) => phases.length > 0 || products.length > 0 || isSet(others), 'none_selected')

const ttl = z
  .looseObject({ mode: z.string(), default: seconds.optional() })
  .refine(({ mode, default: lifetime }) => mode !== 'override_origin' || lifetime !== undefined, { message: 'required', path: ['default'] })
const cache = z.looseObject({ cache: z.boolean().optional(), edge_ttl: ttl.optional(), browser_ttl: ttl.optional() })

const ratelimit = z.looseObject({
  characteristics: z.array(filled).min(1, 'none_selected'),
  period: z.int().min(1),
  requests_per_period: z.int().min(1).max(1_000_000),
  mitigation_timeout: seconds.optional(),
  counting_expression: z.string().max(4_096, 'too_long').optional(),
})

/** The parameters of an action; an action without a row is not checked here. */
function parametersOf(phase: RulePhase, action: string): z.ZodType<Record<string, unknown> | null> | null {
  switch (action) {
    case 'redirect':
      return redirect
    case 'rewrite':
      return phase === 'http_request_transform' ? rewriteUri : rewriteHeaders
    case 'set_config':
      return config
    case 'route':
      return origin
    case 'block':
      // A block without a response of its own has no parameters.
      return block.nullable()
    case 'skip':
      return skip
    case 'set_cache_settings':
      return cache
    default:
      return null
  }
}

const unchecked = ruleInput.shape.actionParameters

/** The form of a rule with this action. */
export const ruleFields = (phase: RulePhase, action: string) =>
  ruleInput.omit({ action: true }).extend({
    // The action is known, so that a form can have the fields that belong to it.
    actionParameters: (parametersOf(phase, action) ?? unchecked) as typeof unchecked,
    ratelimit: (phase === 'http_ratelimit' ? ratelimit : ruleInput.shape.ratelimit) as typeof ruleInput.shape.ratelimit,
  })
