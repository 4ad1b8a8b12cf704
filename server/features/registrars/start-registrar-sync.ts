import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { syncDueRegistrars } from './names/sync-names.ts'

/** Reads the registrars' lists when they are due, in this process and in however many others. Returns the end of it. */
export function startRegistrarSync(services: Services): () => Promise<void> {
  return runLoop(services, { name: 'registrars', everyMs: 5_000 }, (signal) => syncDueRegistrars(services, signal)).stop
}
