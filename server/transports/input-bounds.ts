import { z } from 'zod'
import { maximumOf } from '#server/transports/find-too-many.ts'
import { unwrap } from '#server/transports/rest/coerce-query.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'

/** Maximum size of the JSON of an input. */
interface InputBounds {
  readonly bytes: number
  /** Members and elements, at any depth. */
  readonly values: number
}

/** The largest permitted body. */
export const mostBytes = 8 * 1024 * 1024
/** Allowance for a field without a maximum length, and for white space. */
const allowance: InputBounds = { bytes: 256 * 1024, values: 10_000 }
/** For a text without a maximum. */
const assumedTextLength = 300
/** Bytes of a character in UTF-8; most longer ones are surrogate pairs. */
const bytesOfCharacter = 3

const sum = (parts: readonly InputBounds[]): InputBounds => ({
  bytes: parts.reduce((total, { bytes }) => total + bytes, 0),
  values: parts.reduce((total, { values }) => total + values, 0),
})

function boundsOfSchema(given: z.core.$ZodType): InputBounds {
  const schema = unwrap(given)
  if (schema instanceof z.ZodArray) {
    const maximum = maximumOf(schema) ?? 0
    const { bytes, values } = boundsOfSchema(schema.element)
    return { bytes: maximum * (bytes + 1) + 2, values: maximum * (values + 1) + 1 }
  }
  if (schema instanceof z.ZodObject) {
    const members = Object.entries<z.core.$ZodType>(schema.shape).map(([name, member]) => {
      const { bytes, values } = boundsOfSchema(member)
      return { bytes: bytes + name.length + 4, values: values + 1 }
    })
    return sum([{ bytes: 2, values: 1 }, ...members])
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(boundsOfSchema)
    return { bytes: Math.max(...options.map(({ bytes }) => bytes)), values: Math.max(...options.map(({ values }) => values)) }
  }
  if (schema instanceof z.ZodIntersection) return sum([boundsOfSchema(schema.def.left), boundsOfSchema(schema.def.right)])
  if (schema instanceof z.ZodUUID) return { bytes: 40, values: 0 }
  if (schema._zod.def.type === 'string') return { bytes: (maximumOf(schema) ?? assumedTextLength) * bytesOfCharacter + 2, values: 0 }
  // Numbers, enum values, and the few records of free fields.
  return { bytes: 64, values: 1 }
}

/** The bounds of one input, or of several in one request. */
export function boundsOf(schemas: readonly (z.core.$ZodType | undefined)[]): InputBounds {
  const { bytes, values } = sum([
    allowance,
    ...schemas.map((schema) => (schema === undefined ? { bytes: 0, values: 0 } : boundsOfSchema(schema))),
  ])
  return { bytes: Math.min(mostBytes, bytes), values }
}

let known: ReadonlyMap<string, { readonly input: z.core.$ZodType | undefined; readonly bounds: InputBounds }> | null = null
const procedures = () => (known ??= new Map(listProcedures().map(({ path, input }) => [path, { input, bounds: boundsOf([input]) }])))

export const inputOf = (path: string): z.core.$ZodType | undefined => procedures().get(path)?.input

/** The bounds of a request that calls these procedures; unknown ones add nothing. */
export function boundsOfCalls(paths: readonly string[]): InputBounds {
  const { bytes, values } = sum(paths.map((path) => procedures().get(path)?.bounds ?? { bytes: 0, values: 0 }))
  return { bytes: Math.min(mostBytes, Math.max(allowance.bytes, bytes)), values: Math.max(allowance.values, values) }
}
