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
