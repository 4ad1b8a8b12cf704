import { createStore } from '#client/lib/store.ts'

/** Operations that were started in this tab and whose end has not been told yet: one may be over before it was ever seen running. */
export const awaitedOperations = createStore<readonly string[]>([])

export const awaitOperation = (id: string): void => awaitedOperations.set((before) => [...before, id])
