const secondMs = 1_000
/** Longer waits would keep people waiting after what was broken works again. */
const longestMs = 5 * 60 * secondMs
export const keptForMs = 24 * 3_600 * secondMs
/** What a receiver refuses while nobody changes something is tried again so often. */
export const refusedPauseMs = 10 * 60 * secondMs

/** Before the next try, by how many there were. */
export const backoffMs = (attempts: number): number => Math.min(longestMs, 2 * secondMs * 2 ** Math.min(Math.max(0, attempts - 1), 10))
