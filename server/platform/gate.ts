/** Runs at most so many works at once; the others wait their turn. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function createGate(atOnce: number): Gate {
  let inside = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (inside >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else inside += 1
    try {
      return await work()
    } finally {
      // The place goes to the next one as it is, so nobody slips in between.
      const next = waiting.shift()
      if (next === undefined) inside -= 1
      else next()
    }
  }
}
