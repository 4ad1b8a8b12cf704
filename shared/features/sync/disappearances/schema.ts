import { z } from 'zod'
import { mostConfirmations } from './confirmations.ts'

/** Domains that disappeared from a provider's list, kept until they are listed again or a person decides. */
export const disappearance = z.object({
  foundAt: z.iso.datetime(),
  /** The number of missing and of known domains. */
  missing: z.int(),
  known: z.int(),
  /** A sample of the missing domains, looked up individually; if some still exist, the list is wrong. */
  sampled: z.int(),
  stillThere: z.int(),
  /** How many later lists lacked them too, and when the last of these was read. */
  confirmations: z.int().max(mostConfirmations),
  confirmedAt: z.iso.datetime().nullable(),
  /** Since when they are kept on request. */
  keptAt: z.iso.datetime().nullable(),
  keptBy: z.string().nullable(),
})
export type Disappearance = z.infer<typeof disappearance>

/** `gone`: the removal is confirmed. `keep`: they are kept regardless of later lists. */
export const disappearanceDecision = z.enum(['gone', 'keep'])
export const decideDisappearanceInput = z.object({
  id: z.uuid(),
  decision: disappearanceDecision,
  /** What was shown to the person; the call is refused if it has changed since. */
  shown: disappearance.pick({ foundAt: true, missing: true }).optional(),
})
export type DisappearanceDecision = z.infer<typeof decideDisappearanceInput>
/** The number of domains marked as removed. */
export const decideDisappearanceOutput = z.object({ gone: z.int() })

/** How many of the missing domains are named. */
export const mostMissingNames = 500
export const missingNames = z.object({
  /** The first ones in alphabetical order. */
  names: z.array(z.string()),
  missing: z.int(),
})

/** Records of a domain that disappeared from its zone, kept until they are listed again or a person decides. */
export const recordDisappearance = disappearance.omit({ sampled: true, stillThere: true })
export type RecordDisappearance = z.infer<typeof recordDisappearance>

/** The missing records of the domains of one account that nobody has decided about, in total. */
export const accountMissingRecords = z.object({
  domains: z.int(),
  missing: z.int(),
  known: z.int(),
  /** Since when the last of them is missing. */
  foundAt: z.iso.datetime(),
})
export type AccountMissingRecords = z.infer<typeof accountMissingRecords>

/** How many of the domains with missing records that nobody has decided about are named. */
export const mostMissingDomains = 500
export const missingRecordDomains = z.object({
  /** The first ones in alphabetical order. */
  domains: z.array(recordDisappearance.extend({ id: z.uuid(), name: z.string() })),
  total: z.int(),
})

/** `gone`: they are removed from the panel. `keep`: they are kept regardless of later readings. */
export const decideMissingRecordsInput = z.object({
  id: z.uuid(),
  decision: disappearanceDecision,
  /** Only these domains of the account. */
  domainIds: z.array(z.uuid()).min(1).max(1_000).optional(),
  /** What was shown to the person; the call is refused if it has changed since. */
  shown: accountMissingRecords.pick({ domains: true, missing: true }).optional(),
})
export type MissingRecordsDecision = z.infer<typeof decideMissingRecordsInput>
export const decideMissingRecordsOutput = z.object({
  domains: z.int(),
  /** The number of records removed from the panel. */
  gone: z.int(),
})
