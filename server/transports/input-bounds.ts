import { z } from 'zod'
import { maximumOf } from '#server/transports/find-too-many.ts'
import { unwrap } from '#server/transports/rest/coerce-query.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'

/** What the JSON of an input may be at most. */
interface InputBounds {
  readonly bytes: number
  /** Members and elements, at any depth. */
  readonly values: number
}

/** The largest body of all. */
export const mostBytes = 8 * 1024 * 1024
/** What a field without a length of its own, and white space, may take. */
const least: InputBounds = { bytes: 256 * 1024, values: 10_000 }
/** What a text without a maximum is reckoned at. */
const anyText = 300
/** Of a character in UTF-8; most of those beyond it are pairs. */
const bytesOfCharacter = 3

const sum = (parts: readonly InputBounds[]): InputBounds => ({
  bytes: parts.reduce((total, { bytes }) => total + bytes, 0),
  values: parts.reduce((total, { values }) => total + values, 0),
})

function reckon(given: z.core.$ZodType): InputBounds {
  const schema = unwrap(given)
  if (schema instanceof z.ZodArray) {
    const most = maximumOf(schema) ?? 0
    const { bytes, values } = reckon(schema.element)
    return { bytes: most * (bytes + 1) + 2, values: most * (values + 1) + 1 }
  }
  if (schema instanceof z.ZodObject) {
    const members = Object.entries<z.core.$ZodType>(schema.shape).map(([name, member]) => {
      const { bytes, values } = reckon(member)
      return { bytes: bytes + name.length + 4, values: values + 1 }
    })
    return sum([{ bytes: 2, values: 1 }, ...members])
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(reckon)
    return { bytes: Math.max(...options.map(({ bytes }) => bytes)), values: Math.max(...options.map(({ values }) => values)) }
  }
  if (schema instanceof z.ZodIntersection) return sum([reckon(schema.def.left), reckon(schema.def.right)])
  if (schema instanceof z.ZodUUID) return { bytes: 40, values: 0 }
  if (schema._zod.def.type === 'string') return { bytes: (maximumOf(schema) ?? anyText) * bytesOfCharacter + 2, values: 0 }
  // Numbers, names of a list, and the few records of free fields.
  return { bytes: 64, values: 1 }
}

/** Of one input, or of several in one request. */
export function boundsOf(schemas: readonly (z.core.$ZodType | undefined)[]): InputBounds {
  const { bytes, values } = sum([least, ...schemas.map((schema) => (schema === undefined ? { bytes: 0, values: 0 } : reckon(schema)))])
  return { bytes: Math.min(mostBytes, bytes), values }
}

let known: ReadonlyMap<string, { readonly input: z.core.$ZodType | undefined; readonly bounds: InputBounds }> | null = null
const procedures = () => (known ??= new Map(listProcedures().map(({ path, input }) => [path, { input, bounds: boundsOf([input]) }])))

export const inputOf = (path: string): z.core.$ZodType | undefined => procedures().get(path)?.input

/** Of a request that calls these procedures; what is unknown adds nothing. */
export function boundsOfCalls(paths: readonly string[]): InputBounds {
  const { bytes, values } = sum(paths.map((path) => procedures().get(path)?.bounds ?? { bytes: 0, values: 0 }))
  return { bytes: Math.min(mostBytes, Math.max(least.bytes, bytes)), values: Math.max(least.values, values) }
}
