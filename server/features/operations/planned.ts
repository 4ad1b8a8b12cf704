import { z } from 'zod'
import { itemPlan } from '#shared/features/operations/schema.ts'

/** A zone from the mirror with the data for planning. */
export interface PlanZone {
  readonly id: string
  readonly ownerId: string
  readonly accountId: string
  readonly groupId: string | null
  readonly accountEmail: string
  readonly lane: string
  readonly name: string
  readonly status: string
  readonly recordsRead: boolean
  /** Names of records that the provider no longer lists and that the panel keeps: records created there could be duplicates. */
  readonly missingNames: readonly string[]
  /** It is no longer in its account at the provider. */
  readonly isGone: boolean
  readonly trackerBound: boolean
}

/** The account that an item continues in. */
const itemAccount = z.object({ accountId: z.string(), accountEmail: z.string(), lane: z.string() })
export type ItemAccount = Readonly<z.infer<typeof itemAccount>>

/** Another provider with its own limit. */
const called = z.object({
  lane: z.string(),
  name: z.string(),
  calls: z.number(),
  /** Calls allowed in a window. */
  budget: z.object({ limit: z.number(), windowMs: z.number() }),
})
export type Called = Readonly<z.infer<typeof called>>

/** The displayed plan with the data that `run` needs to execute exactly that. */
export const plannedItem = itemPlan.extend({
  work: z.unknown().optional(),
  /** The registrars and trackers it calls besides its account. */
  called: z.array(called).readonly().optional(),
  /** Where it runs and what its refusals stop, if that is not the domain's account. */
  at: itemAccount.extend({ kind: z.enum(['account', 'tracker', 'registrar']) }).optional(),
})
export type PlannedItem = Readonly<z.infer<typeof plannedItem>>
