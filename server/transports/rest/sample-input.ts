import type { JsonSchema } from '#server/transports/rest/write-type.ts'

/** A placeholder; the page replaces it with an ID of the reader. */
export const sampleId = '00000000-0000-4000-8000-000000000000'

const byFormat: Readonly<Record<string, string>> = {
  uuid: sampleId,
  email: 'ops@example.com',
  ipv4: '203.0.113.10',
  'date-time': '2030-01-01T00:00:00Z',
  date: '2030-01-01',
  time: '22:00',
  uri: 'https://example.com/',
}

/** Samples by field name for strings without a format. */
const byName: Readonly<Record<string, unknown>> = {
  address: 'Unter den Linden 1',
  apiKey: 'c2547eb745079dac9320b638f5e225cf483cc',
  chatId: '-1001234567890',
  city: 'Berlin',
  cname: 'www.example.com',
  country: 'DE',
  content: '203.0.113.10',
  currency: 'USD',
  domainName: 'example.com',
  domains: 'example.com',
  email: 'ops@example.com',
  firstName: 'Anna',
  files: 'https://example.com/style.css',
  ip: '203.0.113.10',
  ipAddress: '203.0.113.10',
  lastName: 'Petrova',
  name: 'Shops',
  names: 'example.com',
  newPassword: 'correct horse battery',
  password: 'correct horse battery',
  passwordConfirmation: 'correct horse battery',
  path: '/',
  phone: '+7.9161234567',
  postalCode: '10115',
  reason: 'blocked',
  region: 'Berlin',
  timeZone: 'Europe/Moscow',
  url: 'https://example.com',
  user: 'anna',
  username: 'anna',
}

const isNull = ({ type }: JsonSchema) => type === 'null'

function textOf({ format, minLength = 0 }: JsonSchema, name: string): unknown {
  return byFormat[format ?? ''] ?? byName[name] ?? 'text'.padEnd(minLength, 'x')
}

/** The smallest value that the schema accepts. */
export function sampleOf(schema: JsonSchema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const options = (schema.anyOf ?? schema.oneOf)?.filter((option) => !isNull(option))
  if (options !== undefined) return options[0] === undefined ? null : sampleOf(options[0], name)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, name) as object)) as unknown
  const type = typeof schema.type === 'object' ? schema.type.find((each) => each !== 'null') : schema.type
  switch (type) {
    case 'string':
      return textOf(schema, name)
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(schema.items, name)]
    case 'object': {
      const members = Object.entries(schema.properties ?? {})
      const required = members.filter(([key]) => schema.required?.includes(key) === true)
      // If no field is required, as in a patch, the first one.
      return Object.fromEntries((required.length > 0 ? required : members.slice(0, 1)).map(([key, member]) => [key, sampleOf(member, key)]))
    }
    default:
      return null
  }
}
