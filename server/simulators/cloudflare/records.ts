import { between, hash32, hexId, pick, pickWeighted, randomFrom } from '../random.ts'
import type { Random } from '../random.ts'
import type { SimRecord, SimZone } from './model.ts'
import type { State } from './state.ts'

/** Groups of zones share a server, a few hundred servers in all. */
const SERVERS = 300
const SUBDOMAINS = [
  'www',
  'api',
  'cdn',
  'img',
  'm',
  'track',
  'go',
  'lp',
  'blog',
  'shop',
  'static',
  'admin',
  'app',
  'dev',
  'promo',
  'offer',
  'click',
  'test',
] as const

/**
 * The records of a zone. Unmodified zones are generated from the seed on every read and not stored, so 100,000 zones × 20 records cost
 * nothing until they change.
 */
export function recordsOf(state: State, zone: SimZone): readonly SimRecord[] {
  const written = zone.changes?.records
  if (written != null) return [...written.values()]
  return zone.fromWorld ? makeRecords(state, zone) : []
}

/** The same as a mutable map; from now on the zone stores its records. */
export function writableRecords(state: State, zone: SimZone): Map<string, SimRecord> {
  const changes = state.changesOf(zone)
  changes.records ??= new Map(recordsOf(state, zone).map((record) => [record.id, record]))
  return changes.records
}

function makeRecords(state: State, zone: SimZone): SimRecord[] {
  const random = randomFrom(hash32(zone.serial, 40))
  const { min, max } = state.world.recordsPerZone
  const count = between(random, min, max)
  const server = originOf(hash32(zone.serial, 41) % SERVERS)
  const records: SimRecord[] = []
  const add = (fields: Pick<SimRecord, 'type' | 'name' | 'content'> & Partial<SimRecord>) => {
    if (records.length >= count) return
    records.push({
      id: hexId(zone.serial, 42, records.length),
      ttl: 1,
      proxied: false,
      priority: null,
      data: null,
      comment: null,
      tags: [],
      settings: {},
      createdOnMs: zone.createdOnMs,
      // Based on the zone's creation, because changes of its settings must not affect its records.
      modifiedOnMs: zone.createdOnMs + between(random, 0, 600_000),
      ...fields,
    })
  }
  const proxied = random() < 0.85
  add({ type: 'A', name: zone.name, content: server, proxied })
  add({ type: 'CNAME', name: `www.${zone.name}`, content: zone.name, proxied })
  add({ type: 'TXT', name: zone.name, content: '"v=spf1 a mx ~all"' })
  add({ type: 'MX', name: zone.name, content: `mail.${zone.name}`, priority: 10 })
  add({ type: 'A', name: `mail.${zone.name}`, content: server })
  if (random() < 0.4) add({ type: 'TXT', name: `_dmarc.${zone.name}`, content: '"v=DMARC1; p=none"' })
  if (random() < 0.3) add({ type: 'AAAA', name: zone.name, content: `2001:db8:${(zone.serial & 0xffff).toString(16)}::1`, proxied })
  if (random() < 0.2)
    add({ type: 'CAA', name: zone.name, content: '0 issue "letsencrypt.org"', data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } })
  for (let number = 1; records.length < count; number++) add(furtherRecord(random, zone, server, number))
  return records
}

function furtherRecord(random: Random, zone: SimZone, server: string, number: number) {
  const label = `${pick(random, SUBDOMAINS)}${number}`
  const name = `${label}.${zone.name}`
  const kind = pickWeighted(random, [
    ['A', 70],
    ['CNAME', 20],
    ['TXT', 10],
  ])
  const comment = random() < 0.05 ? 'Landing page, do not remove' : null
  if (kind === 'A') return { type: kind, name, content: server, proxied: random() < 0.6, comment, ttl: 1 }
  if (kind === 'CNAME') return { type: kind, name, content: `${label}.edge.example.net`, ttl: pick(random, [1, 300, 3600]), comment }
  return { type: kind, name, content: `"verification=${hash32(zone.serial, number).toString(36)}"`, comment }
}

function originOf(server: number): string {
  const nets = ['203.0.113', '198.51.100', '192.0.2'] as const
  // Three documentation networks of 250 addresses hold 300 servers.
  return `${nets[Math.floor(server / 100) % 3] ?? nets[0]}.${(server % 100) + 10}`
}
