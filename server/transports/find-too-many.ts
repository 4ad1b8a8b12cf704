import { isRecord } from '#server/platform/json-shape.ts'
import { z } from 'zod'
import { unwrap } from '#server/transports/rest/coerce-query.ts'

/** The maximum length of a text or list; null if there is none. */
export function maximumOf({ _zod: { def } }: z.core.$ZodType): number | null {
  for (const check of def.checks ?? []) {
    if (check instanceof z.core.$ZodCheckMaxLength) return check._zod.def.maximum
    if (check instanceof z.core.$ZodCheckLengthEquals) return check._zod.def.length
  }
  return null
}

interface TooMany {
  readonly path: string
  readonly max: number
}

/** The first list longer than its schema permits, or null. zod itself would validate every element before checking the length. */
export function findTooMany(given: z.core.$ZodType | undefined, value: unknown, path: readonly (string | number)[] = []): TooMany | null {
  const schema = given === undefined ? undefined : unwrap(given)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const max = maximumOf(schema)
    if (max !== null && value.length > max) return { path: path.join('.'), max }
    return firstOf(value, (item, at) => findTooMany(schema.element, item, [...path, at]))
  }
  if (schema instanceof z.ZodUnion) return firstOf(schema.options, (option) => findTooMany(option, value, path))
  if (schema instanceof z.ZodIntersection) return findTooMany(schema.def.left, value, path) ?? findTooMany(schema.def.right, value, path)
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return null
  return firstOf(Object.entries<z.core.$ZodType>(schema.shape), ([name, member]) =>
    Object.hasOwn(value, name) ? findTooMany(member, value[name], [...path, name]) : null,
  )
}

function firstOf<T>(items: readonly T[], find: (item: T, at: number) => TooMany | null): TooMany | null {
  for (const [at, item] of items.entries()) {
    const found = find(item, at)
    if (found !== null) return found
  }
  return null
}
