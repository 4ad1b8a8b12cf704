import { createStore } from '#client/lib/store.ts'

/** Operations started in this tab whose end was not reported yet: one may end before it was seen running. */
export const awaitedOperations = createStore<readonly string[]>([])

export const awaitOperation = (id: string): void => awaitedOperations.set((before) => [...before, id])
