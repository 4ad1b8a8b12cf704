import { z } from 'zod'
import { unwrap } from '#server/transports/rest/coerce-query.ts'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Dotted paths of what stands in a body and not in its schema: a misspelt field would be dropped without a word. */
export function findUnknownFields(given: z.core.$ZodType | undefined, value: unknown, path: readonly string[] = []): string[] {
  const schema = given === undefined ? undefined : unwrap(given)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item: unknown, at) => findUnknownFields(schema.element, item, [...path, String(at)]))
  }
  if (!isRecord(value)) return []
  if (schema instanceof z.ZodUnion) {
    const objects = schema.options.map(unwrap).filter((option) => option instanceof z.ZodObject)
    // What one of several shapes takes is for the schema itself to judge.
    if (objects.length !== schema.options.length) return []
    return Object.keys(value).flatMap((name) =>
      objects.some(({ shape }) => Object.hasOwn(shape, name)) ? [] : [[...path, name].join('.')],
    )
  }
  const known = schema instanceof z.ZodObject ? schema : null
  // What takes anything has no unknown fields; a strict object says so itself.
  if ((schema !== undefined && known === null) || known?.def.catchall !== undefined) return []
  const shape: Readonly<Record<string, z.core.$ZodType>> = known?.shape ?? {}
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(shape, name) ? findUnknownFields(shape[name], member, [...path, name]) : [[...path, name].join('.')],
  )
}
