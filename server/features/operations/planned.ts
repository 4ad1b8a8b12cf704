import type { ItemPlan } from '#shared/features/operations/schema.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'

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
  /** Whom it calls beside its account. */
  readonly registrar?: { readonly id: string; readonly name: string; readonly provider: RegistrarProvider; readonly calls: number }
}

/** Where an item goes on. */
export interface ItemAccount {
  readonly accountId: string
  readonly accountEmail: string
  readonly lane: string
}
