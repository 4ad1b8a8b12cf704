import type { SimZone } from './cloudflare/model.ts'
import { recordsOf } from './cloudflare/records.ts'
import type { State } from './cloudflare/state.ts'
import type { Site } from './targets/site.ts'

/** An address in the provider's ranges, to which proxied names resolve. */
const edge = ['104.16.132.229', '104.16.133.229']
const period = 20 * 60_000
/** Hosts that show a probe that it has a network connection. */
export const landmarks: ReadonlySet<string> = new Set(['one.one.one.one', 'dns.google', 'www.wikipedia.org', 'www.cloudflare.com'])

const addressesOf = (state: State, zone: SimZone) =>
  recordsOf(state, zone).filter(({ type, name }) => name === zone.name && (type === 'A' || type === 'AAAA'))

/** The address of several of the first domains, whose server is down. */
function findDeadOrigin(state: State, zones: readonly SimZone[]): string | null {
  const counts = new Map<string, number>()
  for (const zone of zones) for (const { content } of addressesOf(state, zone)) counts.set(content, (counts.get(content) ?? 0) + 1)
  const several = [...counts]
    .filter(([, count]) => count >= 3 && count <= 40)
    .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
  return several[2]?.[0] ?? several[0]?.[0] ?? null
}

/** Of four hundred domains one each has this problem; the intermittent one is down in every other period of 20 minutes. */
function trouble(serial: number, now: number): Partial<Site> {
  switch (serial % 400) {
    case 1:
      return { handshake: 'expires-soon' }
    case 2:
      return { handshake: 'expired' }
    case 3:
      return { page: { kind: 'page', status: 502 } }
    case 4:
      return (Math.floor(now / period) + serial) % 2 === 0 ? { page: { kind: 'page', status: 503 } } : {}
    case 5:
      return { handshake: 'wrong-name' }
    case 6:
      return { page: { kind: 'closed' } }
    default:
      return {}
  }
}

/** The sites of the simulated zones, most of them healthy. */
export function sitesOfWorld(state: State, zones: readonly SimZone[], now: () => number = Date.now) {
  const dead = findDeadOrigin(state, zones)
  const beginning = now()
  return (name: string): Partial<Site> | null => {
    if (landmarks.has(name)) return { addresses: edge }
    const nameServers = state.registered(name)
    if (nameServers === null) return null
    const zone = state.zonesNamed(name).find(({ status }) => status === 'active') ?? state.zonesNamed(name)[0]
    const records = zone === undefined ? [] : addressesOf(state, zone)
    const proxied = records.some((record) => record.proxied)
    const isDead = records.some(({ content }) => content === dead)
    return {
      nameServers,
      addresses: proxied || records.length === 0 ? edge : records.map(({ content }) => content),
      ...trouble(zone?.serial ?? 0, now() - beginning),
      ...(isDead ? { page: proxied ? { kind: 'page', status: 522 } : { kind: 'closed' } } : {}),
    }
  }
}
