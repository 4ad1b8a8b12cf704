import { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'

type Raw = string | readonly string[]
type Shape = Readonly<Record<string, z.core.$ZodType>>

/** The schema without its defaults, optionals and transforms. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) return unwrap(schema.unwrap())
  if (schema instanceof z.ZodPipe) return unwrap(schema.def.in)
  return schema
}

function coerce(given: z.core.$ZodType, raw: Raw): unknown {
  const schema = unwrap(given)
  if (schema instanceof z.ZodArray) {
    const items = typeof raw === 'string' ? (raw === '' ? [] : raw.split(',')) : raw
    return items.map((item) => coerce(schema.element, item))
  }
  if (typeof raw !== 'string') return raw
  if (schema instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(raw) ? Number(raw) : raw
  if (schema instanceof z.ZodBoolean) return raw === 'true' ? true : raw === 'false' ? false : raw
  if (schema instanceof z.ZodObject && raw.startsWith('{')) {
    try {
      return JSON.parse(raw) as unknown
    } catch {
      return raw
    }
  }
  return raw
}

/**
 * Converts a query string to the types of `input`; values that do not fit stay as they are, and the schema rejects them. A name
 * that exists only in a nested object of the input (`status` of `filter`) is moved there, so that queries stay flat.
 * @throws AppError validation_failed for unknown names, because a misspelled filter would return everything
 */
export function coerceQuery(input: z.core.$ZodType | undefined, query: Readonly<Record<string, Raw>>): Record<string, unknown> {
  const schema = input === undefined ? undefined : unwrap(input)
  const shape: Shape = schema instanceof z.ZodObject ? schema.shape : {}
  const inner = Object.entries(shape).flatMap(([name, member]): { name: string; shape: Shape }[] => {
    const object = unwrap(member)
    return object instanceof z.ZodObject ? [{ name, shape: object.shape }] : []
  })
  const result: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [name, raw] of Object.entries(query)) {
    const member = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (member !== undefined) {
      result[name] = coerce(member, raw)
      continue
    }
    const home = inner.find((object) => Object.hasOwn(object.shape, name))
    const innerMember = home?.shape[name]
    if (home === undefined || innerMember === undefined) {
      unknown.push(name)
      continue
    }
    const before = result[home.name]
    result[home.name] = { ...(typeof before === 'object' ? before : {}), [name]: coerce(innerMember, raw) }
  }
  if (unknown.length > 0) {
    throw new AppError('validation_failed', { issues: unknown.map((path) => ({ path, message: 'unrecognized_keys' })) })
  }
  return result
}
