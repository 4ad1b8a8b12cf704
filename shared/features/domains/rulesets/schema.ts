import { z } from 'zod'
import { changeBatch } from '../history/batch.ts'
import { longestExpression, rulePhases } from './phases.ts'

export const rulePhase = z.enum(rulePhases)

/** As at Cloudflare (`action_parameters`, `ratelimit`), with its names. */
const longestObject = 50_000
const cloudflareObject = z
  .record(z.string().max(200), z.unknown())
  .refine((value) => JSON.stringify(value).length <= longestObject, { message: 'too_long', params: { max: longestObject } })

export const longestDescription = 500

/** What a rule says, apart from its place. */
export const ruleDefinition = z.object({
  description: z.string().max(longestDescription),
  expression: z.string(),
  enabled: z.boolean(),
  action: z.string(),
  actionParameters: cloudflareObject.nullable(),
  ratelimit: cloudflareObject.nullable(),
})
export type RuleDefinition = z.infer<typeof ruleDefinition>

const anyObject = z.record(z.string(), z.unknown())
export const zoneRule = ruleDefinition.extend({
  // Rules of other programs may be longer than those that the panel writes.
  description: z.string(),
  actionParameters: anyObject.nullable(),
  ratelimit: anyObject.nullable(),
  id: z.string(),
  /** The rule's reference, its id by default. */
  ref: z.string().nullable(),
  version: z.string(),
  modifiedAt: z.iso.datetime().nullable(),
  /** Created by the panel. */
  isOurs: z.boolean(),
  /** The profile that added it; null for other rules. */
  profile: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** A profile added it that does not exist in this panel: it was deleted, or is one of another installation. */
  isOfDeletedProfile: z.boolean(),
})
export type ZoneRule = z.infer<typeof zoneRule>

/** The rules of one phase, in their order. */
export const zoneRuleset = z.object({
  phase: rulePhase,
  /** Null if the zone has no ruleset in this phase yet. */
  rulesetId: z.string().nullable(),
  version: z.string().nullable(),
  /** How many rules the zone's plan includes; null if unknown. */
  limit: z.int().nullable(),
  rules: z.array(zoneRule),
  /** Why it could not be read, in the provider's words; the rules are then those of the last successful reading. */
  problem: z.object({ code: z.string(), message: z.string().nullable() }).nullable(),
})
export type ZoneRuleset = z.infer<typeof zoneRuleset>

export const pageRule = z.object({
  id: z.string(),
  targets: z.array(z.string()),
  actions: z.array(z.object({ id: z.string(), value: z.unknown() })),
  priority: z.int().nullable(),
  isActive: z.boolean(),
})
export type PageRule = z.infer<typeof pageRule>

/** A rule in the history, with everything needed to create it again. */
export const loggedRule = z.object({
  phase: rulePhase,
  /** 1 is the first rule. */
  position: z.int(),
  id: z.string(),
  ref: z.string().nullable(),
  /** The definition as at the provider, with its names. */
  definition: z.looseObject({
    description: z.string(),
    expression: z.string(),
    enabled: z.boolean(),
    action: z.string(),
    action_parameters: z.unknown().optional(),
    ratelimit: z.unknown().optional(),
  }),
})
export type LoggedRule = z.infer<typeof loggedRule>

const id = z.uuid()

export const listRulesetsInput = z.object({ id })
export const zoneRulesetsAnswer = z.object({
  /** Null before the first reading. */
  readAt: z.iso.datetime().nullable(),
  /** One per phase, in the order in which Cloudflare runs them. */
  rulesets: z.array(zoneRuleset),
  pageRules: z.object({ limit: z.int().nullable(), rules: z.array(pageRule), problem: zoneRuleset.shape.problem }),
})
export type ZoneRulesets = z.infer<typeof zoneRulesetsAnswer>

const ruleFields = z.object({
  description: z.string().trim().max(longestDescription, 'too_long'),
  expression: z.string().trim().min(1, 'required').max(longestExpression, 'too_long'),
  enabled: z.boolean(),
  action: z.string().min(1, 'required').max(100, 'too_long'),
  actionParameters: cloudflareObject.nullable(),
  ratelimit: cloudflareObject.nullable(),
})
const { shape: field } = ruleFields
export const ruleInput = ruleFields.extend({
  description: field.description.default(''),
  enabled: field.enabled.default(true),
  actionParameters: field.actionParameters.default(null),
  ratelimit: field.ratelimit.default(null),
})

/** 1 is the first rule. */
const position = z.int().min(1).max(10_000)
const ruleId = z.string().min(1).max(100)
/** The version of the rule that the change is based on; if the rule has another one by now, the change is refused. */
const version = z.string().max(100)

export const createRuleInput = z.object({
  id,
  phase: rulePhase,
  rule: ruleInput,
  position: position.optional(),
  /** The version of the ruleset that the position refers to. */
  version: version.optional(),
})
export const updateRuleInput = z.object({ id, phase: rulePhase, ruleId, version: version.optional(), rule: ruleFields.partial() })
export const moveRuleInput = z.object({
  id,
  phase: rulePhase,
  ruleId,
  position,
  /** The version of the ruleset that the position refers to. */
  version: version.optional(),
})
export const deleteRuleInput = z.object({ id, phase: rulePhase, ruleId, version: version.optional() })
/** A change of one rule, for its preview. */
export const ruleChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('create'), ...createRuleInput.omit({ id: true }).shape }),
  z.strictObject({ kind: z.literal('update'), ...updateRuleInput.omit({ id: true }).shape }),
  z.strictObject({ kind: z.literal('move'), ...moveRuleInput.omit({ id: true }).shape }),
  z.strictObject({ kind: z.literal('delete'), ...deleteRuleInput.omit({ id: true }).shape }),
])
export const rulesetAnswer = z.object({ ruleset: zoneRuleset, ...changeBatch })

export const checkRuleInput = z.object({ id, phase: rulePhase, rule: ruleInput })
export const checkRuleOutput = z.object({
  /** `unverified`: Cloudflare did not check it; see `reason`. */
  result: z.enum(['accepted', 'refused', 'unverified']),
  /** Cloudflare's refusal. */
  message: z.string().nullable(),
  reason: z.enum(['limit_reached', 'unsupported']).nullable(),
})

/** The rules of a phase after a change. */
export const ruleQuota = z.object({
  phase: rulePhase,
  rules: z.int(),
  /** How many the zone's plan includes; null if unknown. */
  limit: z.int().nullable(),
})
