import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers like Cloudflare for any zone, with the records and settings of `million-domains.ts` and nothing else. */
const recordsPerZone = 5
const values: Readonly<Record<string, unknown>> = {
  ssl: 'full',
  min_tls_version: '1.2',
  always_use_https: 'on',
  security_level: 'medium',
  security_header: { strict_transport_security: { enabled: false } },
}

const bots = { fight_mode: false, ai_bots_protection: 'disabled', crawler_protection: 'disabled', is_robots_txt_managed: false }

const dnssec = { status: 'disabled', modified_on: null }

function records(zone: string) {
  const bytes = Buffer.from(zone, 'hex')
  return Array.from({ length: recordsPerZone }, (_, index) => index + 1).map((n) => ({
    id: createHash('md5').update(`${zone}${n}`).digest('hex'),
    type: 'A',
    name: `r${n}.${zone}.example`,
    content: `10.${bytes[0]}.${bytes[1]}.${n}`,
    ttl: 1,
    proxied: n < 3,
    proxiable: true,
    tags: [],
  }))
}

const server = createServer((request, response) => {
  const [, , zone = '', kind, name = ''] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/')
  const list = kind === 'dns_records' ? records(zone) : null
  const result = list ??
    (kind === 'bot_management' ? bots : kind === 'dnssec' ? dnssec : null) ?? {
      id: name,
      value: values[name],
      editable: true,
      modified_on: null,
    }
  const info =
    list === null ? {} : { result_info: { page: 1, per_page: 5_000, count: list.length, total_count: list.length, total_pages: 1 } }
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, errors: [], messages: [], result, ...info }))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`))
process.once('SIGTERM', () => process.exit())
