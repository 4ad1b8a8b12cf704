import { serveSimulator } from '../serve.ts'
import type { SimulatorCall, SimulatorReply, ProviderSimulator } from '../serve.ts'
import { createTrackerState } from './state.ts'
import type { TrackerState } from './state.ts'

export type TrackerOptions = {
  readonly apiKey?: string
  readonly port?: number
  readonly latencyMs?: number
  readonly now?: () => number
}

export type TrackerSimulator<Ways> = ProviderSimulator & {
  readonly apiKey: string
  readonly state: TrackerState
  /** Behavior that is undocumented, or differs between versions and editions. */
  readonly ways: Ways
  /** Resets to the initial state: empty and healthy. */
  reset(): void
}

type TrackerProgram<Ways> = {
  readonly apiKey: string
  /** The id of the n-th added domain, from 1. */
  readonly idOf: (serial: number) => string
  readonly usual: Ways
  /** The path as counted in the journal. */
  readonly nameOf: (path: string) => string
  /** An error in the tracker's own envelope. */
  readonly failure: (status: number, message: string) => SimulatorReply
  /** The texts for internal errors and for forbidden calls. */
  readonly words: { readonly broken: string; readonly forbidden: string }
  readonly handle: (state: TrackerState, ways: Ways, call: SimulatorCall) => SimulatorReply
}

/** Serves one tracker of any kind, with its own state. */
export async function serveTracker<Ways extends object>(
  program: TrackerProgram<Ways>,
  { port, latencyMs, now, apiKey = program.apiKey }: TrackerOptions,
): Promise<TrackerSimulator<Ways>> {
  const { failure, words } = program
  const state = createTrackerState({ apiKey, idOf: program.idOf, ...(now && { now }) })
  const ways: Ways = { ...program.usual }
  const simulator = await serveSimulator({
    base: '',
    port,
    latencyMs,
    now: state.now,
    nameOf: ({ path }) => program.nameOf(path),
    refusals: {
      'rate-limited': () => failure(429, 'Too many requests'),
      'server-error': () => failure(500, words.broken),
      forbidden: () => failure(403, words.forbidden),
      'revoked-key': () => failure(401, 'Unauthorized'),
      'success-false': () => failure(200, 'Something went wrong'),
    },
    handle: (call) => program.handle(state, ways, call),
  })
  return {
    ...simulator,
    apiKey,
    state,
    ways,
    reset() {
      state.clear()
      simulator.faults.clear()
      simulator.journal.reset()
      Object.assign(ways, program.usual)
    },
  }
}
