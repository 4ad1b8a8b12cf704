import type { ItemPlan } from '#shared/features/operations/schema.ts'

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

/** What is shown, and beside it what `run` needs to do exactly that. */
export interface PlannedItem extends ItemPlan {
  readonly work?: unknown
  /** Whom it calls beside its account: a registrar, a tracker. */
  readonly called?: readonly Called[]
  /** Where it is done and what its refusals stop, where that is not its domain's account. */
  readonly at?: ItemAccount & { readonly kind: 'account' | 'tracker' | 'registrar' }
}

/** Somebody with a limit of their own. */
export interface Called {
  readonly lane: string
  readonly name: string
  readonly calls: number
  /** Calls that they take in a window. */
  readonly budget: { readonly limit: number; readonly windowMs: number }
}

/** Where an item goes on. */
export interface ItemAccount {
  readonly accountId: string
  readonly accountEmail: string
  readonly lane: string
}
