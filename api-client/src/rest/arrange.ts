import type { JsonSchema, RestCall } from './calls.ts'

/** The input does not match what the call accepts. */
export class ArrangeError extends Error {
  override readonly name = 'ArrangeError'
}

type Fields = Readonly<Record<string, unknown>>

export interface RestRequest {
  readonly method: string
  /** Path below `/api` with the query string. */
  readonly path: string
  readonly body: Fields | null
}

const typesOf = (schema: JsonSchema): readonly string[] => {
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.flatMap(typesOf)
  return typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
}

/** Converts a command line argument to the type in the schema. Text that does not fit stays a string, and the panel rejects it. */
export function coerceText(schema: JsonSchema, text: string): unknown {
  const types = typesOf(schema)
  if (/^[[{"]/.test(text) && (types.includes('array') || types.includes('object') || types.length === 0)) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return text
    }
  }
  if (types.includes('array')) {
    const items = schema.items ?? schema.anyOf?.find((option) => option.items !== undefined)?.items ?? {}
    return text === '' ? [] : text.split(',').map((item) => coerceText(items, item))
  }
  if (types.includes('null') && text === 'null') return null
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text
}

const propertiesOf = (schema: JsonSchema | null): Readonly<Record<string, JsonSchema>> => {
  const options = schema?.anyOf ?? schema?.oneOf
  return options === undefined
    ? (schema?.properties ?? {})
    : Object.fromEntries(options.flatMap((option) => Object.entries(propertiesOf(option))))
}

/** The schema of a field of the call; `settings.ssl` is a nested field. */
export function schemaOf({ parameters, body }: RestCall, name: string): JsonSchema | null {
  const parameter = parameters.find((each) => each.name === name)
  if (parameter !== undefined) return parameter.schema
  let schema: JsonSchema | null | undefined = body
  for (const part of name.split('.')) schema = propertiesOf(schema ?? null)[part]
  return schema ?? null
}

/** The names of all parameters and body fields of the call. */
export const fieldsOf = ({ parameters, body }: RestCall): string[] => [
  ...new Set([...parameters.map(({ name }) => name), ...Object.keys(propertiesOf(body)).filter((name) => name !== 'preview')]),
]

const plain = (value: unknown): string =>
  Array.isArray(value) ? value.map(plain).join(',') : typeof value === 'string' ? value : JSON.stringify(value)

/**
 * Builds a request: puts each field into the path, the query or the body.
 * @throws ArrangeError for unknown and missing fields
 */
export function arrange(call: RestCall, given: Fields, preview = false): RestRequest {
  const known = fieldsOf(call)
  const strange = Object.keys(given).filter((name) => !known.includes(name))
  if (strange.length > 0)
    throw new ArrangeError(`${call.name} does not accept ${strange.join(', ')}; it accepts ${known.join(', ') || 'no fields'}`)
  const missing = [...call.parameters.filter(({ required }) => required).map(({ name }) => name), ...(call.body?.required ?? [])].filter(
    (name) => given[name] === undefined,
  )
  if (missing.length > 0) throw new ArrangeError(`${call.name} requires ${missing.join(', ')}`)
  const isOf = (place: string, name: string) => call.parameters.some((each) => each.in === place && each.name === name)
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(plain(given[name])))
  const asked = Object.entries(given)
    .filter(([name, value]) => value !== undefined && isOf('query', name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(plain(value))}`)
  const query = [...asked, ...(preview && call.previews ? ['preview=true'] : [])]
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => !isOf('path', name) && !isOf('query', name)))
  return {
    method: call.method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    body: call.body === null && Object.keys(body).length === 0 ? null : body,
  }
}
