import { z } from 'zod'
import { changeBatch } from '../history/batch.ts'
import { ipAccessModes, ipAccessTargets, parseIpAccessValue } from './values.ts'

export const ipAccessMode = z.enum(ipAccessModes)

const longestExpirySeconds = 10 * 365 * 86_400
/** Cloudflare documents no limit of notes. */
export const longestNote = 500
/** Each is a call for each domain. */
export const mostIpAccessValues = 100

export const ipRule = z.object({
  id: z.string(),
  mode: ipAccessMode,
  target: z.enum(ipAccessTargets),
  value: z.string(),
  note: z.string(),
  createdAt: z.iso.datetime().nullable(),
  /** When the panel deletes the rule; null: never. */
  expiresAt: z.iso.datetime().nullable(),
})
export type IpRule = z.infer<typeof ipRule>

/** A rule in the history, with everything needed to create it again. */
export const loggedIpRule = ipRule.omit({ createdAt: true })
export type LoggedIpRule = z.infer<typeof loggedIpRule>

/** An address, a network, a country or an AS number as a person types it. */
const value = z
  .string()
  .trim()
  .max(60, 'too_long')
  .superRefine((text, ctx) => {
    const parsed = parseIpAccessValue(text)
    if ('issue' in parsed) ctx.addIssue({ code: 'custom', message: parsed.issue })
  })
export const ipAccessValues = z.array(value).min(1, 'required').max(mostIpAccessValues, 'too_many')

const note = z.string().trim().max(longestNote, 'too_long')
const expiresAt = z.iso.datetime({ offset: true }).nullable()

export const addIpRulesFields = {
  values: ipAccessValues,
  mode: ipAccessMode,
  note: note.default(''),
  expiresAt: expiresAt.default(null),
  /** How long each rule lasts from its creation, instead of a time. */
  expiresInSeconds: z.int().min(60, 'too_small').max(longestExpirySeconds, 'too_big').nullable().default(null),
}

/** The panel's id of the domain, or of the account. */
const id = z.uuid()
const ruleId = z.string().min(1).max(100)

export const listIpRulesInput = z.object({ id })
export const ipRulesAnswer = z.object({
  /** When they were read from Cloudflare. */
  readAt: z.iso.datetime(),
  rules: z.array(ipRule),
})
export type IpRules = z.infer<typeof ipRulesAnswer>
export const changedIpRulesAnswer = ipRulesAnswer.extend(changeBatch)

export const addIpRulesInput = z.object({ id, ...addIpRulesFields })
export const addIpRulesOutput = changedIpRulesAnswer.extend({
  added: z.int(),
  /** Values that have such a rule already. */
  unchanged: z.int(),
  /** Values that have a rule of another mode, which is kept. */
  conflicts: z.array(z.object({ value: z.string(), mode: ipAccessMode })),
})
export const updateIpRuleInput = z.object({
  id,
  ruleId,
  mode: ipAccessMode.optional(),
  note: note.optional(),
  expiresAt: expiresAt.optional(),
})
export const deleteIpRuleInput = z.object({ id, ruleId })
