/** The part of JSON Schema that OpenAPI documents of the panel use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly [other: string]: unknown
}

export interface RestParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

/** A call of the REST API, read from the panel's OpenAPI document. */
export interface RestCall {
  /** The procedure behind it: `zoneSettings.update`. */
  readonly name: string
  readonly method: string
  /** Below `/api`, its parameters in braces. */
  readonly path: string
  readonly summary: string
  /** Details beyond the summary; may be empty. */
  readonly description: string
  readonly tag: string
  readonly parameters: readonly RestParameter[]
  readonly body: JsonSchema | null
  /** Changes no data, so a read-only token may call it. */
  readonly reads: boolean
  /** Its response is the draft of an operation, which changes nothing until it is started. */
  readonly drafts: boolean
  /** Accepts `preview`. */
  readonly previews: boolean
  /** Accepts an `Idempotency-Key`. */
  readonly keyed: boolean
  readonly examples: readonly { readonly lang: string; readonly source: string }[]
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Omit<RestParameter, 'in' | 'required'> & { readonly in: string; readonly required?: boolean })[]
  readonly responses?: Readonly<Record<string, unknown>>
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
  readonly 'x-zonedeck-procedure'?: string
  readonly 'x-zonedeck-reads'?: boolean
  readonly 'x-codeSamples'?: RestCall['examples']
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const isPlain = (place: string): place is RestParameter['in'] => place === 'path' || place === 'query'

/** Every call of the document, in document order. */
export function callsOf({ paths }: OpenApiDocument): RestCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): RestCall => {
      const { operationId = '', summary = '', description = '', tags = [], parameters = [], requestBody, responses = {} } = operation
      const body = requestBody?.content?.['application/json']?.schema ?? null
      const given = parameters.flatMap(({ in: place, required = false, ...parameter }) =>
        isPlain(place) ? [{ ...parameter, in: place, required }] : [],
      )
      const reads = operation['x-zonedeck-reads'] ?? method === 'get'
      return {
        name: operation['x-zonedeck-procedure'] ?? operationId.replaceAll('-', '.'),
        method: method.toUpperCase(),
        path,
        summary,
        description,
        tag: tags[0] ?? 'Other',
        parameters: given.filter(({ name }) => name !== 'preview'),
        body,
        reads,
        drafts: reads && method !== 'get' && '201' in responses,
        previews: given.some(({ name }) => name === 'preview') || body?.properties?.['preview'] !== undefined,
        keyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
        examples: operation['x-codeSamples'] ?? [],
      }
    }),
  )
}

/** Calls that contain every word in their name, path, summary, description or tag; all calls if there are no words. */
export function searchCalls(calls: readonly RestCall[], words: readonly string[]): RestCall[] {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/)).filter((word) => word !== '')
  return calls.filter(({ name, method, path, summary, description, tag }) => {
    const text = `${name} ${method} ${path} ${summary} ${description} ${tag}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

const segments = (path: string) => {
  const [withoutQuery = ''] = path.split('?', 1)
  return withoutQuery.replace(/^\/api(?=\/)/, '').split('/')
}

/** Finds the call for a path such as `/zones/0198…/settings` and the values of its path parameters. */
export function matchPath(
  calls: readonly RestCall[],
  method: string,
  address: string,
): { call: RestCall; params: Record<string, string> } | null {
  const given = segments(address)
  const fitting = calls
    .filter((call) => call.method === method.toUpperCase())
    .flatMap((call) => {
      const own = segments(call.path)
      const fits = own.length === given.length && own.every((part, at) => part.startsWith('{') || part === given[at])
      const params = Object.fromEntries(own.flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), given[at] ?? '']] : [])))
      return fits ? [{ call, params }] : []
    })
  // `/zones/live` is a separate call, not a domain with the ID `live`.
  return fitting.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0] ?? null
}
