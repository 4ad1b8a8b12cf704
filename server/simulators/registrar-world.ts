import { hash32 } from './random.ts'
import type { World } from './world.ts'
import { startGodaddySimulator } from './registrars/godaddy.ts'
import { Market } from './registrars/market.ts'
import type { MarketProvider } from './registrars/market.ts'
import { startNamecheapSimulator } from './registrars/namecheap.ts'
import { startPorkbunSimulator } from './registrars/porkbun.ts'
import { startRegruSimulator } from './registrars/regru.ts'

type RegistrarWorld = {
  readonly market: Market
  /** By the names of the environment variables. */
  readonly urls: Readonly<Record<`${MarketProvider}_BASE_URL`, string>>
  close(): Promise<void>
}

type RegistrarWorldOptions = {
  readonly world: World
  /** The first of four ports; 0 or absent: free ones. */
  readonly port?: number
  readonly latencyMs?: number
  /** Called for each name whose name servers change. */
  readonly onDelegation?: (name: string, nameServers: readonly string[]) => void
  /** Called when a registrar got or lost the DS records of a name. */
  readonly onDs?: (name: string, published: boolean) => void
}

/** The credentials of this world's customers. */
export const registrarCustomers = {
  NAMECHEAP: { username: 'zonedeck-demo', apiKey: '0123456789abcdef0123456789abcdef', clientIp: '198.51.100.7' },
  GODADDY: { apiToken: 'gd_pat_0123456789abcdef_demo' },
  PORKBUN: { apiKey: 'pk1_0123456789abcdef', apiSecret: 'sk1_0123456789abcdef' },
  REGRU: { login: 'demo@example.com', password: 'api-password-of-the-demo' },
} as const satisfies Record<MarketProvider, Readonly<Record<string, string>>>

const dayMs = 86_400_000
const unbound = ['fresh-harbor.com', 'quiet-lantern.net', 'amber-orchard.org', 'silver-meadow.com']
const providers = ['NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU'] as const

/** The four registrars, which together have all names of the world and some without a zone. */
export async function startRegistrarWorld({
  world,
  port = 0,
  latencyMs = 0,
  onDelegation,
  onDs,
}: RegistrarWorldOptions): Promise<RegistrarWorld> {
  const market = new Market({ seed: world.seed })
  const zones = world.content().zones.filter(({ name }) => market.isSold(name))
  const soldBy = (name: string): MarketProvider => {
    const number = hash32(world.seed, ...Buffer.from(name)) % 10
    return name.endsWith('.ru') || name.endsWith('.xn--p1ai') ? 'REGRU' : number < 5 ? 'NAMECHEAP' : number < 8 ? 'PORKBUN' : 'GODADDY'
  }
  const named = [...new Map(zones.map((zone) => [zone.name, zone])).values()]
  for (const [index, provider] of providers.entries()) {
    const { clientIp, ...credential }: Readonly<Record<string, string>> = registrarCustomers[provider]
    market.addAccount({
      provider,
      credential,
      ...(clientIp === undefined ? {} : { allowedAddresses: [clientIp] }),
      names: [
        ...named
          .filter(({ name }) => soldBy(name) === provider)
          .map(({ name, status, nameServers, originalNameServers }) => ({
            name,
            nameServers: status === 'active' ? nameServers : (originalNameServers ?? []),
            createdAtMs: world.nowMs - (1 + (hash32(world.seed + 1, ...Buffer.from(name)) % 364)) * dayMs,
            autoRenew: hash32(world.seed + 2, ...Buffer.from(name)) % 4 > 0,
          })),
        ...unbound.slice(index, index + 1).map((name) => ({ name, nameServers: ['ns1.parked.example', 'ns2.parked.example'] })),
      ],
    })
  }
  if (onDelegation !== undefined) market.onDelegation(onDelegation)
  if (onDs !== undefined) market.onDs(onDs)
  const at = (index: number) => ({ market, latencyMs, ...(port === 0 ? {} : { port: port + index }) })
  const [namecheap, godaddy, porkbun, regru] = await Promise.all([
    startNamecheapSimulator(at(0)),
    startGodaddySimulator(at(1)),
    startPorkbunSimulator(at(2)),
    startRegruSimulator(at(3)),
  ])
  return {
    market,
    urls: { NAMECHEAP_BASE_URL: namecheap.url, GODADDY_BASE_URL: godaddy.url, PORKBUN_BASE_URL: porkbun.url, REGRU_BASE_URL: regru.url },
    async close() {
      await Promise.all([namecheap, godaddy, porkbun, regru].map((each) => each.close()))
    },
  }
}
