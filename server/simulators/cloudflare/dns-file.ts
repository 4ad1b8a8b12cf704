import { createRateWindow } from '../rate-window.ts'
import type { Call } from './call.ts'
import type { SimRecord, SimZone } from './model.ts'
import { DATA_FIELDS, dataFromWords, PRIORITY_TYPES, PROXIABLE_TYPES } from './record-types.ts'
import { draftRecords } from './record-write.ts'
import { recordsOf } from './records.ts'
import { throttled } from './limits.ts'
import { CloudflareError, ok, plainText, refuse } from './reply.ts'
import type { Reply } from './reply.ts'

const FILE_MAX_BYTES = 262_144
/** Types whose content is a host name, absolute in a file if it ends with a dot. */
const DOTTED = new Set(['CNAME', 'MX', 'NS', 'PTR'])
/** GET /zones/{zone}/dns_records/export: a BIND file as plain text. */
export function exportRecords(call: Call, zone: SimZone): Reply {
  const lines = recordsOf(call.state, zone).map((record) => recordLine(record))
  return plainText(
    [
      `;;`,
      `;; Domain:     ${zone.name}.`,
      `;; Exported:   ${new Date(call.nowMs).toISOString().slice(0, 19).replace('T', ' ')}`,
      `;;`,
      `$ORIGIN ${zone.name}.`,
      `@\t3600\tIN\tSOA\t${zone.nameServers[0] ?? ''}. dns.cloudflare.com. 2000000000 10000 2400 604800 3600`,
      ...zone.nameServers.map((server) => `@\t86400\tIN\tNS\t${server}.`),
      ...lines,
      '',
    ].join('\n'),
  )
}

function recordLine(record: SimRecord): string {
  const priority = record.priority === null ? '' : `${record.priority} `
  const dotted = DOTTED.has(record.type) || record.type === 'SRV' ? `${record.content}.` : record.content
  const tags = PROXIABLE_TYPES.has(record.type) ? ` ; cf_tags=cf-proxied:${record.proxied}` : ''
  return `${record.name}.\t${record.ttl}\tIN\t${record.type}\t${priority}${dotted}${tags}`
}

/**
 * POST /zones/{zone}/dns_records/import: a BIND file as the form field `file`; `proxied` is the default for records without a tag. Three
 * per minute and user.
 */
export function importRecords(call: Call, zone: SimZone): Reply {
  const { imports } = call.state
  const own = imports.get(call.caller.budgetKey) ?? createRateWindow(3, 60_000, 0)
  imports.set(call.caller.budgetKey, own)
  const { allowed, resetMs } = own.take(call.nowMs)
  if (!allowed) throw throttled(10429, 'Rate limited. Please wait and retry later.', Math.max(1, Math.ceil(resetMs / 1000)))
  const fields = formFields(call)
  const file = fields.get('file')
  if (file === undefined) throw refuse(400, 9207, 'Request body is invalid: file is a required field.')
  if (Buffer.byteLength(file) > FILE_MAX_BYTES) throw refuse(400, 9207, 'The file is larger than 256 KiB.')
  const parsed = parseZoneFile(file, zone.name, fields.get('proxied') === 'true')
  const draft = draftRecords(call.state, zone, call.nowMs)
  let added = 0
  for (const record of parsed) {
    try {
      draft.insert(record)
      added++
    } catch (error) {
      // Existing records are skipped; any other error rejects the whole file.
      if (!(error instanceof CloudflareError) || ![81053, 81057, 81058].includes(error.errors[0]?.code ?? 0)) throw error
    }
  }
  draft.commit()
  return ok({ recs_added: added, total_records_parsed: parsed.length })
}

function formFields(call: Call): ReadonlyMap<string, string> {
  const boundary = /boundary="?([^";]+)"?/.exec(call.contentType)?.[1]
  if (!call.contentType.startsWith('multipart/form-data') || boundary === undefined)
    throw refuse(415, 9207, 'Content-Type must be multipart/form-data.')
  const fields = new Map<string, string>()
  for (const part of call.rawBody.toString('utf8').split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n')
    const name = /\bname="([^"]*)"/i.exec(part.slice(0, end))?.[1]
    if (end !== -1 && name !== undefined) fields.set(name, part.slice(end + 4).replace(/\r\n$/, ''))
  }
  return fields
}

function parseZoneFile(text: string, zoneName: string, proxiedByDefault: boolean) {
  let origin = zoneName
  let defaultTtl = 1
  let lastName = zoneName
  const records: Record<string, unknown>[] = []
  for (const line of text.split(/\r?\n/)) {
    const { code, comment } = splitComment(line)
    if (code.trim() === '') continue
    const words = code.trim().match(/"[^"]*"|\S+/g) ?? []
    const directive = words[0]?.toUpperCase()
    if (directive === '$INCLUDE') throw refuse(400, 9207, '$INCLUDE is not supported.')
    if (directive === '$ORIGIN') {
      origin = (words[1] ?? zoneName).replace(/\.$/, '')
      continue
    }
    if (directive === '$TTL') {
      defaultTtl = Number(words[1])
      continue
    }
    if (!/^\s/.test(code)) lastName = absolute(words.shift() ?? '@', origin)
    let ttl = defaultTtl
    while (words[0] !== undefined && (/^\d+$/.test(words[0]) || words[0].toUpperCase() === 'IN')) {
      const word = words.shift()
      if (word !== undefined && /^\d+$/.test(word)) ttl = Number(word)
    }
    const type = words.shift()?.toUpperCase() ?? ''
    // The zone's own SOA and name servers are managed by Cloudflare.
    if (type === 'SOA' || (type === 'NS' && lastName === zoneName)) continue
    const tagged = /cf-proxied:(true|false)/.exec(comment)?.[1]
    const proxied = PROXIABLE_TYPES.has(type) && (tagged === undefined ? proxiedByDefault : tagged === 'true')
    records.push({ type, name: lastName, ttl, proxied, ...contentOf(type, words, origin) })
  }
  return records
}

function contentOf(type: string, words: readonly string[], origin: string): Record<string, unknown> {
  const rest = PRIORITY_TYPES.has(type) ? words.slice(1) : words
  const priority = PRIORITY_TYPES.has(type) ? { priority: Number(words[0]) } : {}
  if (type in DATA_FIELDS) return { ...priority, data: dataFromWords(type, rest) }
  if (DOTTED.has(type)) return { ...priority, content: absolute(rest[0] ?? '', origin) }
  return { content: rest.join(' ') }
}

function absolute(name: string, origin: string): string {
  if (name === '@') return origin
  return name.endsWith('.') ? name.slice(0, -1) : `${name}.${origin}`
}

function splitComment(line: string): { readonly code: string; readonly comment: string } {
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') quoted = !quoted
    if (line[at] === ';' && !quoted) return { code: line.slice(0, at), comment: line.slice(at + 1) }
  }
  return { code: line, comment: '' }
}
