import { isRecord } from '#server/platform/json-shape.ts'
import { z } from 'zod'
import { unwrap } from '#server/transports/rest/coerce-query.ts'

/** Paths of the fields of a body that are not in its schema, because zod would drop a misspelled field silently. */
export function findUnknownFields(given: z.core.$ZodType | undefined, value: unknown, path: readonly string[] = []): string[] {
  const schema = given === undefined ? undefined : unwrap(given)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item: unknown, at) => findUnknownFields(schema.element, item, [...path, String(at)]))
  }
  if (!isRecord(value)) return []
  if (schema instanceof z.ZodUnion) {
    const objects = schema.options.map(unwrap).filter((option) => option instanceof z.ZodObject)
    // Other unions are checked by the schema itself.
    if (objects.length !== schema.options.length) return []
    return Object.keys(value).flatMap((name) =>
      objects.some(({ shape }) => Object.hasOwn(shape, name)) ? [] : [[...path, name].join('.')],
    )
  }
  const known = schema instanceof z.ZodObject ? schema : null
  // A schema that accepts anything has no unknown fields, and a strict object rejects them itself.
  if ((schema !== undefined && known === null) || known?.def.catchall !== undefined) return []
  const shape: Readonly<Record<string, z.core.$ZodType>> = known?.shape ?? {}
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(shape, name) ? findUnknownFields(shape[name], member, [...path, name]) : [[...path, name].join('.')],
  )
}
