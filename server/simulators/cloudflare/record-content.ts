import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

import { isObject } from '../deliver.ts'
import type { JsonObject } from './call.ts'
import type { SimRecord, SimZone } from './model.ts'
import { contentFromData, DATA_FIELDS, PLAIN_TYPES, PRIORITY_TYPES, PROXIABLE_TYPES } from './record-types.ts'
import { refuse } from './reply.ts'

/** The fields of a record a caller may set; times and id are generated. */
export type RecordFields = Omit<SimRecord, 'id' | 'createdOnMs' | 'modifiedOnMs'>

const HOST = /^(?=.{1,254}$)([a-z0-9_*]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i

/** Full name in Punycode: `@` is the zone, a name without the zone's suffix gets it. */
function recordName(given: unknown, zone: SimZone): string {
  if (typeof given !== 'string' || given.trim() === '') throw refuse(400, 9000, 'DNS name is invalid.')
  let name = given.trim().toLowerCase().replace(/\.$/, '')
  if (!/^[ -~]*$/.test(name)) name = domainToASCII(name)
  if (name === '@') return zone.name
  if (name !== zone.name && !name.endsWith(`.${zone.name}`)) name = `${name}.${zone.name}`
  if (name.length > 253 || !HOST.test(name)) throw refuse(400, 9000, 'DNS name is invalid.')
  return name
}

/** Validates a complete record (PATCH merges first). Throws Cloudflare's code for each error. */
export function parseRecord(input: JsonObject, zone: SimZone): RecordFields {
  const type = typeof input['type'] === 'string' ? input['type'].toUpperCase() : ''
  const dataFields = DATA_FIELDS[type]
  if (dataFields === undefined && !PLAIN_TYPES.has(type)) throw refuse(400, 9020, 'Invalid DNS record type.')
  const proxied = input['proxied'] ?? false
  if (typeof proxied !== 'boolean') throw refuse(400, 9207, 'Request body is invalid: proxied must be true or false.')
  if (proxied && !PROXIABLE_TYPES.has(type)) throw refuse(400, 9041, 'This record type cannot be proxied.')
  const data = dataFields === undefined ? null : dataOf(input, type, dataFields)
  return {
    type,
    name: recordName(input['name'], zone),
    content: dataFields === undefined ? contentOf(input['content'], type) : contentFromData(type, data ?? {}),
    ttl: ttlOf(input['ttl'], proxied, zone),
    proxied,
    priority: priorityOf(input, type, data),
    data,
    comment: commentOf(input['comment']),
    tags: tagsOf(input['tags'], zone),
    settings: isObject(input['settings']) ? input['settings'] : {},
  }
}

function contentOf(given: unknown, type: string): string {
  if (typeof given !== 'string' || given.trim() === '') throw refuse(400, 9207, 'Request body is invalid: content is a required field.')
  const content = given.trim()
  switch (type) {
    case 'A':
      if (!isIPv4(content)) throw refuse(400, 9005, 'Content for A record must be a valid IPv4 address.')
      return content
    case 'AAAA':
      if (!isIPv6(content)) throw refuse(400, 9006, 'Content for AAAA record must be a valid IPv6 address.')
      return content.toLowerCase()
    case 'CNAME':
      return hostOf(content, 9007, type)
    case 'MX':
      return hostOf(content, 9009, type)
    case 'NS':
    case 'PTR':
      return hostOf(content, 9207, type)
    default:
      if (content.length > 2048) throw refuse(400, 9207, `Content for ${type} record is too long.`)
      return content
  }
}

function hostOf(content: string, code: number, type: string): string {
  const host = (/^[ -~]*$/.test(content) ? content : domainToASCII(content)).replace(/\.$/, '')
  // RFC 7505: the domain accepts no mail.
  if (type === 'MX' && content === '.') return content
  if (!HOST.test(host) || isIPv4(host)) throw refuse(400, code, `Content for ${type} record is invalid.`)
  return host
}

function dataOf(input: JsonObject, type: string, fields: readonly string[]): JsonObject {
  const data = input['data']
  if (!isObject(data)) throw refuse(400, 9207, `Request body is invalid: data is a required field for ${type} records.`)
  const missing = fields.find((field) => data[field] === undefined)
  if (missing !== undefined) throw refuse(400, 9207, `Request body is invalid: data.${missing} is a required field for ${type} records.`)
  return data
}

function priorityOf(input: JsonObject, type: string, data: JsonObject | null): number | null {
  if (!PRIORITY_TYPES.has(type)) return null
  const priority = input['priority'] ?? data?.['priority'] ?? (type === 'MX' ? undefined : 0)
  if (typeof priority === 'number' && Number.isInteger(priority) && priority >= 0 && priority <= 65535) return priority
  throw refuse(400, 9207, `Request body is invalid: priority is a required field for ${type} records.`)
}

function ttlOf(given: unknown, proxied: boolean, zone: SimZone): number {
  const ttl = given ?? 1
  const min = zone.plan === 'enterprise' ? 30 : 60
  if (typeof ttl !== 'number' || !Number.isInteger(ttl) || (ttl !== 1 && (ttl < min || ttl > 86_400)))
    throw refuse(400, 9021, `Invalid TTL. Must be between ${min} and 86400 seconds, or 1 for Automatic.`)
  return proxied ? 1 : ttl
}

function commentOf(given: unknown): string | null {
  if (given === undefined || given === null || given === '') return null
  if (typeof given !== 'string' || given.length > 500) throw refuse(400, 9207, 'Request body is invalid: comment.')
  return given
}

function tagsOf(given: unknown, zone: SimZone): readonly string[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given) || !given.every((tag) => typeof tag === 'string')) throw refuse(400, 9207, 'Request body is invalid: tags.')
  if (given.length > 0 && zone.plan === 'free') throw refuse(400, 9300, 'DNS record has 1 tag, exceeding the quota of 0.')
  return given
}
