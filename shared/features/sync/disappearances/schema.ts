import { z } from 'zod'

/** Domains that disappeared from a provider's list, kept until a later list or a person confirms their removal. */
export const disappearance = z.object({
  foundAt: z.iso.datetime(),
  /** The number of missing and of known domains. */
  missing: z.int(),
  known: z.int(),
  /** A sample of the missing domains, looked up individually; if some still exist, the list is wrong. */
  sampled: z.int(),
  stillThere: z.int(),
  /** Since when they are kept on request. */
  keptAt: z.iso.datetime().nullable(),
  keptBy: z.string().nullable(),
})
export type Disappearance = z.infer<typeof disappearance>

/** `gone`: the removal is confirmed. `keep`: they are kept regardless of later lists. */
export const disappearanceDecision = z.enum(['gone', 'keep'])
export const decideDisappearanceInput = z.object({ id: z.uuid(), decision: disappearanceDecision })
/** The number of domains marked as removed. */
export const decideDisappearanceOutput = z.object({ gone: z.int() })

/** How many of the missing domains are named. */
export const mostMissingNames = 500
export const missingNames = z.object({
  /** The first ones in alphabetical order. */
  names: z.array(z.string()),
  missing: z.int(),
})
