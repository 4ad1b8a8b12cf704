import type { ProviderClient } from '#server/integrations/http/provider-client.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { Clock } from '#server/platform/clock.ts'

/** What an adapter needs beside the access. */
export interface RegistrarContext {
  /** For all calls of the credential. */
  readonly client: ProviderClient
  readonly baseUrl: string
  readonly clock: Clock
  /** For calls that the provider counts separately and more strictly; all processes share each of these limits, too. */
  readonly limited: (what: string, limit: BudgetLimit) => ProviderClient
}
