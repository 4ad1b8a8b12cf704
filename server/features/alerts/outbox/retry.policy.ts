const secondMs = 1_000
/** Longer waits would keep people waiting after what was broken works again. */
const longestMs = 5 * 60 * secondMs
export const keptForMs = 24 * 3_600 * secondMs
/** What a receiver refuses while nobody changes something is tried again so often. */
export const refusedPauseMs = 10 * 60 * secondMs

/**
 * Before the next try, by how many there were. What goes to a program is tried again sooner: it takes as much as there is, in order, and one that fails now
 * and then would hold up all that wait behind.
 */
export const backoffMs = (attempts: number, to: 'telegram' | 'webhook'): number =>
  Math.min(longestMs, (to === 'webhook' ? 250 : 2 * secondMs) * 2 ** Math.min(Math.max(0, attempts - 1), 12))
