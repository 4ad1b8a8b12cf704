/** As much of JSON Schema as OpenAPI documents of the panel say. */
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

/** A call of the REST API, as the panel itself describes it. */
export interface RestCall {
  /** The procedure that answers it: `zoneSettings.update`. */
  readonly name: string
  readonly method: string
  /** Below `/api`, its parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly parameters: readonly RestParameter[]
  readonly body: JsonSchema | null
  /** Changes nothing that anybody has. */
  readonly reads: boolean
  /** Whether it can be asked what it would do. */
  readonly previews: boolean
  /** Whether it takes an `Idempotency-Key`: with one it is done once, however often it is sent. */
  readonly keyed: boolean
  readonly examples: readonly { readonly lang: string; readonly source: string }[]
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Omit<RestParameter, 'in' | 'required'> & { readonly in: string; readonly required?: boolean })[]
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

/** Every call of the document, in its order. */
export function callsOf({ paths }: OpenApiDocument): RestCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): RestCall => {
      const { operationId = '', summary = '', tags = [], parameters = [], requestBody } = operation
      const body = requestBody?.content?.['application/json']?.schema ?? null
      const given = parameters.flatMap(({ in: place, required = false, ...parameter }) =>
        isPlain(place) ? [{ ...parameter, in: place, required }] : [],
      )
      return {
        name: operation['x-zonedeck-procedure'] ?? operationId.replaceAll('-', '.'),
        method: method.toUpperCase(),
        path,
        summary,
        tag: tags[0] ?? 'Other',
        parameters: given.filter(({ name }) => name !== 'preview'),
        body,
        reads: operation['x-zonedeck-reads'] ?? method === 'get',
        previews: given.some(({ name }) => name === 'preview') || body?.properties?.['preview'] !== undefined,
        keyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
        examples: operation['x-codeSamples'] ?? [],
      }
    }),
  )
}

/** Those whose name, path, summary or group have every word; with no words all. */
export function searchCalls(calls: readonly RestCall[], words: readonly string[]): RestCall[] {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/)).filter((word) => word !== '')
  return calls.filter(({ name, method, path, summary, tag }) => {
    const text = `${name} ${method} ${path} ${summary} ${tag}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

const segments = (path: string) => {
  const [withoutQuery = ''] = path.split('?', 1)
  return withoutQuery.replace(/^\/api(?=\/)/, '').split('/')
}

/** The call that an address such as `/zones/0198…/settings` is of, with what stands in the places of its parameters. */
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
  // `/zones/live` is that call, and no domain of the id `live`.
  return fitting.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0] ?? null
}
