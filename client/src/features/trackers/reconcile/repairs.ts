import type { ReconcileState } from '#shared/features/trackers/schema.ts'

/** What can be done about a difference. */
export type Repair = 'link' | 'bind' | 'bind_again' | 'unbind' | 'address' | 'check' | 'add' | 'archive'

/** By state; the usual one first. */
export const repairsOf: Readonly<Record<ReconcileState, readonly Repair[]>> = {
  not_in_cloudflare: ['add', 'archive'],
  not_linked: ['link'],
  not_bound: ['bind'],
  address_differs: ['address'],
  ssl_error: ['check'],
  check_error: ['check'],
  gone_there: ['bind_again', 'unbind'],
  agreed: [],
}

/** One tracker's matter: several trackers are repaired one after another. */
export const ofOneTracker: ReadonlySet<Repair> = new Set(['link', 'bind_again', 'address'])
