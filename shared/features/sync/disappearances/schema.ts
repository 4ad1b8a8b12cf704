import { z } from 'zod'

/** Domains that a provider's list no longer has, kept until a later list or a person confirms that they are gone. */
export const disappearance = z.object({
  foundAt: z.iso.datetime(),
  /** So many of so many domains. */
  missing: z.int(),
  known: z.int(),
  /** Of the missing ones, asked for one by one; where some are still there, the list is wrong. */
  sampled: z.int(),
  stillThere: z.int(),
  /** Since when a person wants them kept. */
  keptAt: z.iso.datetime().nullable(),
  keptBy: z.string().nullable(),
})
export type Disappearance = z.infer<typeof disappearance>

/** `gone`: they are gone, believe the list. `keep`: keep them, whatever later lists say. */
export const disappearanceDecision = z.enum(['gone', 'keep'])
export const decideDisappearanceInput = z.object({ id: z.uuid(), decision: disappearanceDecision })
/** How many domains were marked as gone. */
export const decideDisappearanceOutput = z.object({ gone: z.int() })

/** So many of what is missing are named. */
export const mostMissingNames = 500
export const missingNames = z.object({
  /** In alphabetical order, the first ones. */
  names: z.array(z.string()),
  missing: z.int(),
})
