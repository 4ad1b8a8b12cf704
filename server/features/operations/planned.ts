import { z } from 'zod'
import { itemPlan } from '#shared/features/operations/schema.ts'

/** A zone as planning needs it, from the mirror. */
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
}

/** Where an item goes on. */
const itemAccount = z.object({ accountId: z.string(), accountEmail: z.string(), lane: z.string() })
export type ItemAccount = Readonly<z.infer<typeof itemAccount>>

/** Somebody with a limit of their own. */
const called = z.object({
  lane: z.string(),
  name: z.string(),
  calls: z.number(),
  /** Calls that they take in a window. */
  budget: z.object({ limit: z.number(), windowMs: z.number() }),
})
export type Called = Readonly<z.infer<typeof called>>

/** What is shown, and beside it what `run` needs to do exactly that. */
export const plannedItem = itemPlan.extend({
  work: z.unknown().optional(),
  /** Whom it calls beside its account: a registrar, a tracker. */
  called: z.array(called).readonly().optional(),
  /** Where it is done and what its refusals stop, where that is not its domain's account. */
  at: itemAccount.extend({ kind: z.enum(['account', 'tracker', 'registrar']) }).optional(),
})
export type PlannedItem = Readonly<z.infer<typeof plannedItem>>
