import { between, pick } from '#server/simulators/random.ts'
import type { Random } from '#server/simulators/random.ts'
import type { JsonSchema } from '#server/transports/rest/write-type.ts'

/** Existing objects: ids by the field that names them (`zoneId`, `id`), and meaningful texts. */
export interface Named {
  readonly ids: readonly string[]
  readonly texts: readonly string[]
}

const formats: Readonly<Record<string, readonly string[]>> = {
  email: ['ann@example.com'],
  'date-time': ['2030-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'],
  date: ['2030-01-01'],
  uri: ['https://example.com/'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
}

/** An input that mostly matches a schema, so that a defect in it gets as far as a use case. */
export function sampleInput(random: Random, schema: JsonSchema | boolean | undefined, named: Named, depth = 0): unknown {
  if (schema === undefined || typeof schema === 'boolean') return pick(random, named.texts)
  const of = (inner: JsonSchema | boolean | undefined) => sampleInput(random, inner, named, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return pick(random, schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined && options.length > 0) return of(pick(random, options))
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(of)) as unknown
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object': {
      const required = new Set(schema.required)
      const entries = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name) || (depth < 4 && random() < 0.4))
      return Object.fromEntries(entries.map(([name, member]) => [name, of(member)]))
    }
    case 'array': {
      if (schema.prefixItems !== undefined) return schema.prefixItems.map(of)
      return Array.from({ length: between(random, schema.minItems ?? 0, Math.max(schema.minItems ?? 0, 2)) }, () => of(schema.items))
    }
    case 'integer':
    case 'number':
      return between(random, Math.max(schema.minimum ?? 0, -1_000), Math.min(schema.maximum ?? 1_000, (schema.minimum ?? 0) + 1_000))
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    default: {
      if (schema.format === 'uuid') return pick(random, named.ids)
      const known = formats[schema.format ?? '']
      return known === undefined ? pick(random, named.texts) : pick(random, known)
    }
  }
}
