import { existsSync, readFileSync } from 'node:fs'
import { isIPv4, isIPv6 } from 'node:net'
import path from 'node:path'
import { Ajv } from 'ajv'
import type { ValidateFunction } from 'ajv'

import { isObject } from '#server/simulators/deliver.ts'
import type { JsonObject } from '#server/simulators/cloudflare/call.ts'

/** Next to the repository, not in it; a plain clone does not have it. */
const FILE = path.resolve(import.meta.dirname, '../../../shared/reference/cloudflare-openapi-trimmed.json')

type Direction = 'request' | 'answer'

/** Validates requests and responses with Cloudflare's published OpenAPI file. */
export type PublishedSchema = {
  /** Every `GET /zones/{}/…` in the file, without identifiers. */
  readonly operations: ReadonlySet<string>
  /** Validation errors as text; empty if there are none. */
  validateBody(operation: string, body: unknown): string[]
  validateQuery(operation: string, query: URLSearchParams): string[]
  validateAnswer(operation: string, status: number, answer: unknown): string[]
}

/** A place where the file is wrong or outdated, with the replacement. */
export type SchemaException = { readonly at: readonly string[]; readonly instead: unknown; readonly reason: string }

/** Null if the file is missing. Throws if an exception names a place that does not exist. */
export function openPublishedSchema(exceptions: readonly SchemaException[]): PublishedSchema | null {
  if (!existsSync(FILE)) return null
  const document: unknown = JSON.parse(readFileSync(FILE, 'utf8'))
  for (const exception of exceptions) replaceAt(document, exception)
  const readOnly = new Set<string>()
  collectReadOnly(document, readOnly)
  const ajvs = { request: newAjv(document, 'request', readOnly), answer: newAjv(document, 'answer', readOnly) }
  const operations = new Map<string, { readonly pointer: string; readonly operation: JsonObject }>()
  for (const [template, methods] of entriesOf(at(document, 'paths'))) {
    for (const [method, operation] of entriesOf(methods)) {
      const pointer = `/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
      if (isObject(operation)) operations.set(nameOf(method, template), { pointer, operation })
    }
  }

  function validateValue(direction: Direction, pointer: string, value: unknown): string[] {
    const validate: ValidateFunction =
      ajvs[direction].getSchema(`cloudflare#${pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')}`) ?? missing(pointer)
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? ''} ${JSON.stringify(error.params)}`)
  }

  function get(name: string) {
    const found = operations.get(name)
    if (found === undefined) throw new Error(`the published schema has no ${name}`)
    return found
  }

  return {
    operations: new Set(operations.keys()),
    validateBody(name, body) {
      const { pointer, operation } = get(name)
      if (at(operation, 'requestBody', 'content', 'application/json', 'schema') === undefined) return []
      return validateValue('request', `${pointer}/requestBody/content/application~1json/schema`, body)
    },
    validateQuery(name, query) {
      const { pointer, operation } = get(name)
      const parameters = at(operation, 'parameters')
      const known = Array.isArray(parameters) ? parameters : []
      return [...query].flatMap(([key, text]) => {
        const index = known.findIndex((parameter) => at(parameter, 'name') === key && at(parameter, 'in') === 'query')
        if (index === -1) return [`unknown query parameter ${key}`]
        return validateValue('request', `${pointer}/parameters/${index}/schema`, /^\d+$/.test(text) ? Number(text) : booleanOr(text))
      })
    },
    validateAnswer(name, status, answer) {
      const { pointer, operation } = get(name)
      const key = at(operation, 'responses', String(status)) === undefined ? '4XX' : String(status)
      const content = at(operation, 'responses', key, 'content')
      if (!isObject(content)) return [`no answer with status ${status} is published`]
      const type = Object.keys(content)[0] ?? ''
      const schemaPointer = `${pointer}/responses/${key}/content/${type.replace('/', '~1')}/schema`
      // Errors are described as success and failure response at the same time, which nothing can match.
      const parts = at(content, type, 'schema', 'allOf')
      const failure = Array.isArray(parts) ? parts.findIndex((part) => String(at(part, '$ref')).endsWith('-failure')) : -1
      return validateValue('answer', failure === -1 ? schemaPointer : `${schemaPointer}/allOf/${failure}`, answer)
    },
  }
}

/** `GET /zones/{}/settings/{}`: parameter names vary. */
export function nameOf(method: string, template: string): string {
  return `${method.toUpperCase()} ${template.replaceAll(/\{[^}]*\}/g, '{}')}`
}

function newAjv(document: unknown, direction: Direction, readOnly: ReadonlySet<string>): Ajv {
  const ajv = new Ajv({
    strict: false,
    allErrors: false,
    formats: {
      'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
      ipv4: isIPv4,
      ipv6: isIPv6,
      hostname: /^[a-z0-9.-]+$/i,
      email: /^[^@\s]+@[^@\s]+$/,
      uri: (text: string) => URL.canParse(text),
    },
  })
  ajv.addSchema({ $id: 'cloudflare', ...asObject(toJsonSchema(document, direction, readOnly)) })
  return ajv
}

/**
 * OpenAPI 3.0 to JSON Schema: `nullable` becomes a type; in requests read-only properties are not required; `oneOf` becomes `anyOf`,
 * because the file has overlapping alternatives (`{ value: 'on' }` matches many settings, a membership matches two of its forms).
 */
function toJsonSchema(node: unknown, direction: Direction, readOnly: ReadonlySet<string>): unknown {
  if (Array.isArray(node)) return node.map((entry) => toJsonSchema(entry, direction, readOnly))
  if (!isObject(node)) return node
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'example' || key === 'examples' || key === 'nullable') continue
    // The file uses `uniqueItems` on objects, where it has no meaning.
    if (key === 'uniqueItems' && typeof value === 'boolean') continue
    if (key === 'required' && Array.isArray(value) && direction === 'request')
      result[key] = value.filter((name) => !readOnly.has(String(name)))
    else result[key === 'oneOf' ? 'anyOf' : key] = toJsonSchema(value, direction, readOnly)
  }
  return node['nullable'] === true ? { anyOf: [result, { type: 'null' }] } : result
}

function replaceAt(document: unknown, { at: keys, instead }: SchemaException): void {
  const parent = at(document, ...keys.slice(0, -1))
  const last = keys.at(-1)
  if (!isObject(parent) || last === undefined || !(last in parent)) throw new Error(`the published schema has nothing at ${keys.join(' ')}`)
  Object.assign(parent, { [last]: instead })
}

function collectReadOnly(node: unknown, names: Set<string>): void {
  if (Array.isArray(node)) for (const entry of node) collectReadOnly(entry, names)
  if (!isObject(node)) return
  for (const [name, property] of entriesOf(node['properties'])) if (at(property, 'readOnly') === true) names.add(name)
  for (const value of Object.values(node)) collectReadOnly(value, names)
}

function at(node: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), node)
}

function entriesOf(node: unknown): [string, unknown][] {
  return isObject(node) ? Object.entries(node) : []
}

function asObject(node: unknown): JsonObject {
  return isObject(node) ? node : {}
}

function booleanOr(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text
}

function missing(pointer: string): never {
  throw new Error(`the published schema has nothing at ${pointer}`)
}
