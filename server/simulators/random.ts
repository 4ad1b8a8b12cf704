/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** Hashes integers to one unsigned 32-bit number, deterministically. */
export function hash32(...parts: readonly number[]): number {
  let hash = 0x9e3779b9
  for (const part of parts) {
    hash = Math.imul(hash ^ (part | 0), 0x85ebca6b)
    hash ^= hash >>> 13
    hash = Math.imul(hash, 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}

/** Seeded generator (mulberry32), the source of all randomness in the simulators. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Integer from `min` to `max`, both included. */
export function between(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1))
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('pick from an empty list')
  return item
}

/** Weighted choice: `[['active', 88], ['pending', 9]]`. */
export function pickWeighted<T>(random: Random, items: readonly (readonly [T, number])[]): T {
  let left = random() * items.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [item, weight] of items) {
    left -= weight
    if (left < 0) return item
  }
  const last = items.at(-1)
  if (last === undefined) throw new Error('pick from an empty list')
  return last[0]
}

/** 32 hexadecimal digits, like Cloudflare's ids, from a few numbers. */
export function hexId(...parts: readonly number[]): string {
  let id = ''
  for (let word = 0; word < 4; word++)
    id += hash32(...parts, word)
      .toString(16)
      .padStart(8, '0')
  return id
}
