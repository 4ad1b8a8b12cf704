import { fieldTexts } from '#server/transports/rest/field-texts.ts'
import type { JsonSchema } from '#server/transports/rest/write-type.ts'

/** The resource that the last segment of a path stands for: `/zones/{id}` is a domain. */
const resources: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  accounts: ['account', 'accounts'],
  'activity-logs': ['activity log entry', 'activity log entries'],
  'alert-channels': ['alert channel', 'alert channels'],
  'allowed-changes': ['rule', 'rules'],
  contacts: ['registrant contact', 'registrant contacts'],
  groups: ['group', 'groups'],
  history: ['history entry', 'history entries'],
  incidents: ['incident', 'incidents'],
  'maintenance-windows': ['maintenance window', 'maintenance windows'],
  monitoring: ['domain in the panel', 'domains in the panel'],
  operations: ['operation', 'operations'],
  profiles: ['profile', 'profiles'],
  'registrar-names': ['registered domain', 'registered domains, as `GET /registrar-names` returns them'],
  registrars: ['registrar', 'registrars'],
  sessions: ['session', 'sessions'],
  shares: ['share', 'shares'],
  tokens: ['API token', 'API tokens'],
  trackers: ['tracker', 'trackers'],
  users: ['user', 'users'],
  zones: ['domain in the panel', 'domains in the panel'],
}

/** The procedure and the path of a call, from which general fields get their meaning. */
export interface FieldContext {
  readonly procedure: string
  /** Below `/api`, with its parameters in braces; null where one schema has one description for all its procedures. */
  readonly path: string | null
}

function ofResource(name: string, path: string): string | undefined {
  const given = path.split('/').filter((part) => part !== '' && !part.startsWith('{') && part in resources)
  // `/zones/{id}/registrar`: the ID is that of the domain.
  const before =
    path
      .slice(0, path.indexOf(`/{${name}}`))
      .split('/')
      .at(-1) ?? ''
  const found = resources[before] ?? resources[given.at(-1) ?? '']
  if (found === undefined) return undefined
  return name === 'id' ? `ID of the ${found[0]}` : `IDs of the ${found[1]}`
}

/** The description of an input field; undefined if there is none. */
export function describeField(name: string, schema: JsonSchema, context: FieldContext, parent = ''): string | undefined {
  const [feature] = context.procedure.split('.')
  const own =
    schema.description ??
    (parent === '' ? (fieldTexts[`${context.procedure}.${name}`] ?? fieldTexts[`${feature}.${name}`]) : fieldTexts[`${parent}.${name}`])
  if (own !== undefined) return own
  if (parent !== '' || (name !== 'id' && name !== 'ids')) return fieldTexts[name]
  return context.path === null ? undefined : (ofResource(name, context.path) ?? fieldTexts[name])
}

/** The schema of a request body with a description on each property. */
export function describeFields(schema: JsonSchema, context: FieldContext, parent = ''): JsonSchema {
  const inner = (each: JsonSchema) => describeFields(each, context, parent)
  const properties = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const description = describeField(name, member, context, parent)
    return [name, { ...describeFields(member, context, name), ...(description !== undefined && { description }) }] as const
  })
  return {
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(schema.items && { items: inner(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
    ...(schema.allOf && { allOf: schema.allOf.map(inner) }),
  }
}
