import { between, pick } from '#server/simulators/random.ts'
import type { Random } from '#server/simulators/random.ts'
import { hostileValues } from '#server/testing/malformed/hostile-values.ts'

type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** Every position in a value, up to the maximum depth of inputs: its container and its key. */
function placesIn(value: unknown, depth = 0): { readonly holder: Container; readonly name: string }[] {
  if (!isContainer(value) || depth > 8) return []
  return Object.entries(value).flatMap(([name, inner]) => [{ holder: value, name }, ...placesIn(inner, depth + 1)])
}

/** A copy, so that further corruption affects no other request. */
const hostile = (random: Random): unknown => structuredClone(pick(random, hostileValues))

const put = (holder: Container, name: string, value: unknown) =>
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })

const strangeNames = ['__proto__', 'constructor', 'prototype', 'toString', 'a\0b', '\ud800', 'length', '', 'ownerId', 'role', '0', 'then']

/** The same input with one to three defects: another value, an extra one, a missing one, a duplicate. */
export function corrupt(random: Random, input: unknown): unknown {
  if (!isContainer(input) || random() < 0.06) return hostile(random)
  const corrupted: unknown = structuredClone(input)
  for (let turn = between(random, 1, 3); turn > 0; turn -= 1) {
    const places = placesIn(corrupted)
    const place = places.length === 0 ? undefined : pick(random, places)
    const way = random()
    if (place === undefined || way < 0.12) {
      if (isContainer(corrupted)) put(corrupted, pick(random, strangeNames), hostile(random))
    } else if (way < 0.22) {
      delete (place.holder as Record<string, unknown>)[place.name]
    } else if (way < 0.28) {
      const value = (place.holder as Record<string, unknown>)[place.name]
      put(place.holder, place.name, [value, value])
    } else {
      put(place.holder, place.name, hostile(random))
    }
  }
  return corrupted
}
