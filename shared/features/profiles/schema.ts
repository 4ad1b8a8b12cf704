import { z } from 'zod'
import { recordInput } from '#shared/features/domains/records/schema.ts'
import { settingsPatch } from '#shared/features/domains/settings/schema.ts'
import { ruleFields } from '#shared/features/domains/rulesets/parameters.ts'
import { rulesetCatalog, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { ruleInput, rulePhase, zoneRule } from '#shared/features/domains/rulesets/schema.ts'
import { anyVariables, fillRule, misplacedList, mostProfileRules, recordProblems, unknownVariable } from './rules.ts'
import { namePattern } from '#shared/text.ts'
import { fixedVariables, longestValue, mostValues, mostVariables, variableIssues, variableKinds } from './variables.ts'
import type { ProfileVariable } from './variables.ts'

/** Development mode ends automatically, so it cannot be part of a profile. */
export const profileSettings = settingsPatch.omit({ developmentMode: true })
export type ProfileSettings = z.infer<typeof profileSettings>

/** `name` is relative to the domain (`@`, `www`); `{{domain}}` in the content is the domain's name. */
export const profileRecord = recordInput.omit({ comment: true, tags: true })
export type ProfileRecord = z.output<typeof profileRecord>

/** `{{domain}}` in its texts is the domain's name, `{{tracker_host}}` the host of the tracker that the domain is bound to. */
export const profileRule = ruleInput.extend({
  /** Unique in the profile: the rule keeps it when it is changed, so that it is found in the domains again. */
  key: z
    .string()
    .min(1, 'required')
    .max(40, 'too_long')
    .regex(/^[a-z0-9][a-z0-9_-]*$/, 'invalid_characters'),
  phase: rulePhase,
  /** Before or after the rules that the domain has of others. Rules of the profile keep their order. */
  place: z.enum(['first', 'last']).default('last'),
})
export type ProfileRule = z.output<typeof profileRule>

const variableValues = z.array(z.string().trim().min(1, 'required').max(longestValue, 'too_long')).max(mostValues, 'too_many')
const profileVariable = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'required')
    .max(40, 'too_long')
    .regex(/^[a-z][a-z0-9_]*$/, 'variable_name'),
  kind: z.enum(variableKinds),
  /** The default; a group or a domain may have other values. */
  values: variableValues.default([]),
})

export const mostProfileRecords = 100
const fields = z.object({
  name: z.string().trim().min(1, 'required').max(100, 'too_long').regex(namePattern, 'invalid_characters'),
  settings: profileSettings,
  records: z.array(profileRecord).max(mostProfileRecords),
  rules: z.array(profileRule).max(mostProfileRules),
  variables: z.array(profileVariable).max(mostVariables),
})

interface Given {
  readonly settings?: ProfileSettings | undefined
  readonly records?: readonly ProfileRecord[] | undefined
  readonly rules?: readonly ProfileRule[] | undefined
  readonly variables?: readonly ProfileVariable[] | undefined
}
interface Problem {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly params?: object | undefined
}

function addIssue(context: z.RefinementCtx, { path, message, params }: Problem): void {
  context.addIssue({ code: 'custom', path: [...path], message, ...(params === undefined ? {} : { params }) })
}
function requireGoodRecords({ records = [] }: Given, context: z.RefinementCtx): void {
  for (const { index, field, code, params } of recordProblems(records)) {
    addIssue(context, { path: ['records', index, field], message: code, params })
  }
}
/** The problems of a profile's rules and variables for any domain. */
export function ruleProblems({ rules = [], variables = [] }: Pick<Given, 'rules' | 'variables'>): Problem[] {
  const ofRules = rules.flatMap((rule, index) => {
    const isTaken = rules.findIndex(({ key }) => key === rule.key) < index
    const actions: readonly string[] = rulesetCatalog[rule.phase].actions
    const problems: readonly Problem[] = actions.includes(rule.action)
      ? problemsOfRule(rule, variables)
      : [{ path: ['action'], message: 'invalid_choice', params: { values: actions.join(', ') } }]
    return [...(isTaken ? [{ path: ['key'], message: 'rule_key_taken' }] : []), ...problems].map((problem) => ({
      ...problem,
      path: ['rules', index, ...problem.path],
    }))
  })
  return [...ofRules, ...variableIssues(variables).map((issue) => ({ ...issue, path: ['variables', ...issue.path] }))]
}
function requireGoodRules(given: Given, context: z.RefinementCtx): void {
  for (const problem of ruleProblems(given)) addIssue(context, problem)
}

/** The problems of a rule for any domain, by the rules of its action's form. */
function problemsOfRule(
  { phase, ...rule }: Omit<ProfileRule, 'key' | 'place'>,
  variables: readonly Pick<ProfileVariable, 'name' | 'kind'>[],
): readonly Problem[] {
  const names = variables.map(({ name }) => name)
  const unknown = unknownVariable(rule, names)
  if (unknown !== null) {
    const known = [...fixedVariables, ...names].map((name) => `{{${name}}}`).join(', ')
    return [{ path: ['expression'], message: 'unknown_variable', params: { variable: unknown, known } }]
  }
  const stand = anyVariables(variables)
  const list = misplacedList(rule, stand)
  if (list !== null) return [{ path: ['expression'], message: 'variable_in_string', params: { variable: list } }]
  const filled = fillRule(rule, stand)
  return 'refused' in filled ? [] : (ruleFields(phase, rule.action).safeParse(filled.rule).error?.issues ?? [])
}

/** The form of a profile's rule with this action. */
export const profileRuleFields = (phase: RulePhase, action: string, variables: readonly Pick<ProfileVariable, 'name' | 'kind'>[]) =>
  ruleInput.omit({ action: true }).superRefine((rule, context) => {
    for (const problem of problemsOfRule({ ...rule, action, phase }, variables)) addIssue(context, problem)
  })

/** Whether a profile has any content. */
export const hasContent = ({ settings, records, rules }: Given): boolean =>
  Object.values(settings ?? {}).some((value) => value !== undefined) || (records ?? []).length + (rules ?? []).length > 0

export const profileFields = fields
  .extend({ rules: fields.shape.rules.default([]), variables: fields.shape.variables.default([]) })
  .superRefine(requireGoodRecords)
  .superRefine(requireGoodRules)
  .refine(hasContent, { message: 'profile_empty', path: ['settings'] })

const id = z.uuid()
export const profile = z.object({
  id,
  ownerId: z.uuid(),
  /** Shown to administrators in lists. */
  ownerName: z.string(),
  name: z.string(),
  settings: profileSettings,
  records: z.array(profileRecord),
  /** In the order in which Cloudflare runs them within a phase. */
  rules: z.array(profileRule),
  variables: z.array(profileVariable),
  /** Grows with each change of its settings, records, rules or variables. */
  version: z.int(),
  /** The default for new domains; at most one per owner. */
  isDefault: z.boolean(),
  /** Domains that have the profile. */
  domains: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Profile = z.infer<typeof profile>

export const profileIdInput = z.object({ id })
export const profileAnswer = z.object({ profile })
export const listProfilesOutput = z.object({ profiles: z.array(profile) })
/**
 * Absent fields stay unchanged; settings, records, rules and variables are replaced as a whole. Rules are checked together with the variables
 * of the profile.
 */
export const updateProfileInput = fields
  .partial()
  .extend({ id })
  .superRefine(requireGoodRecords)
  .refine((given) => given.settings === undefined || given.records === undefined || given.rules === undefined || hasContent(given), {
    message: 'profile_empty',
    path: ['settings'],
  })
export const setDefaultProfileInput = z.object({ id, isDefault: z.boolean() })
export const removeProfileOutput = z.object({
  /** Domains that had the profile; they stay unchanged. */
  domains: z.int(),
})

const shownRecord = z.object({
  type: z.string(),
  name: z.string(),
  content: z.string(),
  ttl: z.int(),
  proxied: z.boolean(),
  priority: z.int().nullable(),
})
/** A rule as the preview shows it. `position` 1 is the first rule of its phase. */
const shownRule = zoneRule
  .pick({ description: true, expression: true, enabled: true, action: true, actionParameters: true, ratelimit: true })
  .extend({ phase: rulePhase, position: z.int() })
export type ShownRule = z.infer<typeof shownRule>

/** How a domain differs from its profile: `before` is the current state, `after` that of the profile. */
export const profileDifference = z.object({
  settings: z.array(z.object({ key: z.string(), before: z.unknown(), after: z.unknown() })),
  /** `before` null: missing; `after` null: it conflicts with a record of the profile. */
  records: z.array(z.object({ before: shownRecord.nullable(), after: shownRecord.nullable() })),
  /** `before` null: missing; `after` null: a rule of this or another profile that is removed. With both, it is changed or moved. */
  rules: z.array(z.object({ before: shownRule.nullable(), after: shownRule.nullable() })),
  /** False if the domain's rules have never been read; they are compared after the next sync, or when the profile is applied. */
  areRulesRead: z.boolean(),
})
export type ProfileDifference = z.infer<typeof profileDifference>

/** A phase that has no room for all rules of the profile. */
export const fullPhase = z.object({
  phase: rulePhase,
  /** How many rules the phase would have. */
  rules: z.int(),
  /** How many the plan of the domain includes. */
  limit: z.int(),
})

export const domainProfileAnswer = z.object({
  /** Null if the domain has no profile. */
  profile: z
    .object({
      id,
      name: z.string(),
      appliedAt: z.iso.datetime(),
      /** The version that was applied; null if that was before versions were counted. */
      version: z.int().nullable(),
      /** The current version of the profile. */
      currentVersion: z.int(),
    })
    .nullable(),
  /** Null if they cannot be compared; see `problem`. */
  difference: profileDifference.nullable(),
  /** Why not, as a code: the domain is not synced yet, or the profile is not possible there. */
  problem: z.string().nullable(),
  /** For the problem `rule_quota_reached`: which kinds of rules have no room. */
  fullPhases: z.array(fullPhase),
})

/** What taking the state of a domain into its profile would change. */
export const adoptionAnswer = z.object({
  profile: z.object({ id, name: z.string(), version: z.int() }),
  /** `before` is the state of the profile, `after` that of the domain; a rule without `after` was deleted there. */
  difference: z.object({ settings: profileDifference.shape.settings, rules: profileDifference.shape.rules }),
  /** What was compared; another one is refused. */
  fingerprint: z.string(),
  /** Other domains that match the profile now and would then differ. */
  differing: z.int(),
})
export const adoptInput = z.object({ id, fingerprint: z.string().max(100) })

const ownValues = z.record(z.string().max(40), variableValues)
/** The values of a profile's variables for one domain or group. */
export const profileValuesAnswer = z.object({
  variables: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(variableKinds),
      /** Those that apply to the domain, or to domains of the group. */
      values: z.array(z.string()),
      from: z.enum(['domain', 'group', 'profile']),
      /** Without those of the domain or group itself. */
      inherited: z.array(z.string()),
    }),
  ),
})
export const domainValuesInput = z.object({ id, profileId: z.uuid() })
export const groupValuesInput = domainValuesInput
/** An empty list removes the values of the domain or group; absent variables stay unchanged. */
export const setValuesInput = domainValuesInput.extend({ values: ownValues })

export const listProfileDomainsInput = z.object({
  id,
  /** Continues after this domain. */
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
export const listProfileDomainsOutput = z.object({
  domains: z.array(
    z.object({
      id: z.uuid(),
      domain: z.string(),
      /** Settings, records and rules that differ; null before the domain is synced or its rules are read. */
      differs: z.int().nullable(),
    }),
  ),
  nextCursor: z.uuid().nullable(),
})
export const countDifferingOutput = z.object({
  domains: z.int(),
  differing: z.int(),
  /** Domains that are not compared: not synced yet, or their rules are not read. */
  unread: z.int(),
})
export const profileDomainIdsOutput = z.object({ ids: z.array(z.uuid()) })
