/** JSON Schema from zod; `name` and `void` are extensions of the panel. */
export interface JsonSchema {
  readonly name?: string
  readonly void?: boolean
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

interface TypeWriter {
  /** The schema as a TypeScript type; named schemas are written once, in `types`. */
  write(schema: JsonSchema, io: 'input' | 'output'): string
  types(): string[]
}

const key = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name))
const union = (parts: readonly string[]) => [...new Set(parts)].join(' | ') || 'never'
const elementOf = (text: string) => (/^\w+$/.test(text) ? text : `(${text})`)
const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */ `)

/** Writes TypeScript types of schemas. If input and output of a named schema differ, it gets two names: `Record` and `RecordInput`. */
export function createTypeWriter(): TypeWriter {
  const named = new Map<string, string>()

  function body(schema: JsonSchema, io: 'input' | 'output', defs: JsonSchema['$defs']): string {
    const of = (inner: JsonSchema) => typeOf(inner, io, defs)
    if (schema.void === true) return 'void'
    if (schema.$ref !== undefined) {
      const found = defs?.[schema.$ref.replace('#/$defs/', '')]
      return found === undefined ? 'unknown' : of(found)
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
    const options = schema.anyOf ?? schema.oneOf
    if (options !== undefined) return union(options.map(of))
    if (schema.allOf !== undefined) return schema.allOf.map((part) => `(${of(part)})`).join(' & ')
    if (typeof schema.type === 'object') return union(schema.type.map((type) => of({ ...schema, type })))
    switch (schema.type) {
      case 'string':
        return 'string'
      case 'number':
      case 'integer':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'null':
        return 'null'
      case 'array':
        if (schema.prefixItems !== undefined) return `readonly [${schema.prefixItems.map(of).join(', ')}]`
        return `readonly ${elementOf(schema.items === undefined ? 'unknown' : of(schema.items))}[]`
      case 'object':
        return objectOf(schema, of)
      default:
        return 'unknown'
    }
  }

  function objectOf(schema: JsonSchema, of: (inner: JsonSchema) => string): string {
    const { properties = {}, additionalProperties: others, propertyNames } = schema
    const required = new Set(schema.required)
    const members = Object.entries(properties).map(
      ([name, member]) =>
        `${comment(member.description)}readonly ${key(name)}${required.has(name) ? ': ' : '?: undefined | '}${of(member)}`,
    )
    const open = typeof others === 'object'
    if (members.length === 0 && open) {
      const names = propertyNames === undefined ? 'string' : of(propertyNames)
      const record = `Readonly<Record<${names}, ${Object.keys(others).length === 0 ? 'unknown' : of(others)}>>`
      return names === 'string' ? record : `Partial<${record}>`
    }
    return members.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${members.join('; ')} }`
  }

  function typeOf(schema: JsonSchema, io: 'input' | 'output', defs: JsonSchema['$defs']): string {
    const text = body(schema, io, defs)
    if (schema.name === undefined) return text
    const names = [schema.name, `${schema.name}${io === 'input' ? 'Input' : 'Output'}`]
    const free = names.find((name) => (named.get(name) ?? text) === text)
    if (free === undefined) return text
    named.set(free, text)
    return free
  }

  return {
    write: (schema, io) => typeOf(schema, io, schema.$defs),
    types: () => [...named].map(([name, text]) => `export type ${name} = ${text}`).toSorted(),
  }
}
