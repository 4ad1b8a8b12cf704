import { reconcileStates } from '#shared/features/trackers/reconcile-states.ts'
import type { ReconcileState } from '#shared/features/trackers/schema.ts'

/** The repairs of a difference. */
export type Repair = 'link' | 'bind' | 'bind_again' | 'unbind' | 'address' | 'check' | 'add' | 'archive'

/** By state; the default one first. */
const repairsOf: Readonly<Record<ReconcileState, readonly Repair[]>> = {
  not_in_cloudflare: ['add', 'archive', 'unbind'],
  not_linked: ['link'],
  not_bound: ['bind'],
  address_differs: ['address'],
  ssl_error: ['check'],
  check_error: ['check'],
  gone_there: ['bind_again', 'unbind'],
  agreed: [],
}

/** Whether a repair is for bound domains (true) or unbound ones (false); the others are for both. */
export const ofBound: Readonly<Partial<Record<Repair, boolean>>> = { check: true, unbind: true, archive: false }

/** Facts about a selection with the same difference. */
interface Differing {
  readonly states: readonly ReconcileState[]
  readonly bound: boolean
}

/** In the order of the states. */
export const repairs: readonly Repair[] = [...new Set(reconcileStates.flatMap((state) => repairsOf[state]))]
export const statesOf = (repair: Repair): readonly ReconcileState[] => reconcileStates.filter((state) => repairsOf[state].includes(repair))

export const canRepair = (repair: Repair, { states, bound }: Differing): boolean =>
  states.some((state) => repairsOf[state].includes(repair)) && (ofBound[repair] ?? bound) === bound

/** Repairs of a single tracker: several trackers are repaired one after another. */
export const ofOneTracker: ReadonlySet<Repair> = new Set(['link', 'bind_again', 'address'])
