import { createStore } from '#client/lib/store.ts'

/** How many accounts this page has just added whose check is still to be told of. */
export const justAdded = createStore<number>(0)
