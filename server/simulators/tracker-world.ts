import { recordsOf } from './cloudflare/records.ts'
import type { State } from './cloudflare/state.ts'
import { makeDomainName } from './domain-names.ts'
import { hash32, pick, randomFrom } from './random.ts'
import type { Random } from './random.ts'
import { startBinomSimulator } from './trackers/binom.ts'
import type { BinomSimulator } from './trackers/binom.ts'
import { startKeitaroSimulator } from './trackers/keitaro.ts'
import type { KeitaroSimulator } from './trackers/keitaro.ts'
import type { SimTrackedDomainInput, TrackerState } from './trackers/state.ts'
import type { World } from './world.ts'

export type TrackerWorld = {
  readonly keitaro: KeitaroSimulator
  readonly binom: BinomSimulator
  /** Domains whose servers the trackers' domains point to. */
  readonly addresses: { readonly keitaro: readonly string[]; readonly binom: readonly string[] }
  close(): Promise<void>
}

const campaignNames = [
  'DE | Nutra | Keto | FB',
  'IT | Sweeps | iPhone | Push',
  'BR | Gambling | Plinko | Google',
  'ES | Dating | 40+ | TikTok',
  'PL | Crypto | Native',
  'US | Insurance | Search',
  'FR | Nutra | Joints | FB',
  'White pages',
]
const groupNames = ['Facebook', 'Google', 'Push', 'Reserve']
const troubles = [
  { description: 'Timeout was reached', solution: 'Check the firewall and that the A record leads to the tracker’s address' },
  { description: 'Couldn’t resolve host name', solution: 'Add one A record with the tracker’s address and wait for up to 24 hours' },
  { description: 'Domain returned an unexpected response', solution: 'Remove AAAA records and turn off redirects before the tracker' },
]

/**
 * A Keitaro and a Binom with domains of the world: all that point to their servers except every seventh, some that point elsewhere, some in
 * no Cloudflare account, some archived, some with problems.
 */
export async function startTrackerWorld(options: {
  readonly world: World
  readonly state: State
  /** The first of two ports; 0 or absent: free ones. */
  readonly port?: number
  readonly latencyMs?: number
}): Promise<TrackerWorld> {
  const { world, port = 0, latencyMs = 0 } = options
  const at = (index: number) => ({ latencyMs, ...(port === 0 ? {} : { port: port + index }) })
  const keitaro = await startKeitaroSimulator(at(0))
  const binom = await startBinomSimulator(at(1))
  const servers = serversOf(options.state, world)
  const busiest = [...servers.keys()]
  const addresses = { keitaro: busiest.slice(0, 8), binom: busiest.slice(8, 12) }
  const stray = busiest.slice(12).flatMap((server) => servers.get(server) ?? [])
  const random = randomFrom(hash32(world.seed, 90))
  fill(keitaro.state, random, world, namesAt(servers, addresses.keitaro), stray.slice(0, 12))
  fill(binom.state, random, world, namesAt(servers, addresses.binom), stray.slice(12, 18))
  return {
    keitaro,
    binom,
    addresses,
    close: async () => {
      await keitaro.close()
      await binom.close()
    },
  }
}

/** Active zones grouped by their first server, the server with the most zones first. */
function serversOf(state: State, world: World): ReadonlyMap<string, readonly string[]> {
  const servers = new Map<string, string[]>()
  for (const zone of world.content().zones) {
    if (zone.status !== 'active') continue
    const server = recordsOf(state, zone).find(({ type, name }) => type === 'A' && name === zone.name)?.content
    if (server !== undefined) servers.set(server, [...(servers.get(server) ?? []), zone.name])
  }
  return new Map([...servers].toSorted(([one, first], [other, second]) => second.length - first.length || (one < other ? -1 : 1)))
}

const namesAt = (servers: ReadonlyMap<string, readonly string[]>, addresses: readonly string[]): readonly string[] => [
  ...new Set(addresses.flatMap((address) => servers.get(address) ?? [])),
]

function fill(state: TrackerState, random: Random, world: World, own: readonly string[], stray: readonly string[]): void {
  const campaigns = campaignNames.map((name) => state.addCampaign(name))
  const groups = groupNames.map((name) => state.addGroup(name))
  const foreign = Array.from({ length: 6 }, () => makeDomainName(random))
  const archived = Array.from({ length: 4 }, () => makeDomainName(random))
  const known = [...own.filter((_, index) => index % 7 !== 6), ...stray, ...foreign, ...archived]
  for (const [index, name] of [...new Set(known)].entries()) {
    const domain: SimTrackedDomainInput = {
      name,
      archived: archived.includes(name),
      campaignId: index % 4 === 3 ? null : pick(random, campaigns).id,
      groupId: pick(random, groups),
      sslRedirect: index % 3 === 0,
      ssl: index % 23 === 5 ? 'error' : index % 29 === 7 ? 'pending' : 'issued',
      error: index % 17 === 4 ? pick(random, troubles) : null,
      healed: index % 2 === 0,
      createdAtMs: world.nowMs - (1 + (hash32(world.seed, index, 91) % 300)) * 86_400_000,
    }
    const { id } = state.add(domain)
    const links = campaigns[index % campaigns.length]
    if (links !== undefined && index < campaigns.length) links.domainId = id
  }
}
