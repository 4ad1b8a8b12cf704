import type { VendorDoor } from '#server/integrations/http/vendor-door.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { Clock } from '#server/platform/clock.ts'

/** What an adapter needs beside the access. */
export interface RegistrarMeans {
  /** All calls of the credential. */
  readonly door: VendorDoor
  readonly baseUrl: string
  readonly clock: Clock
  /** Calls that the provider counts separately and more strictly; all processes share each of these limits, too. */
  readonly limited: (what: string, limit: BudgetLimit) => VendorDoor
}
