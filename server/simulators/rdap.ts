import { hash32 } from './random.ts'
import { createRateWindows } from './rate-window.ts'
import type { Market } from './registrars/market.ts'
import { serveSimulator } from './serve.ts'
import type { Refusals, SimulatorReply, ProviderSimulator } from './serve.ts'

/** A name at its registry. */
export type RegistryEntry = {
  readonly registeredAtMs: number
  /** Null: not reported by this registry. */
  readonly expiresAtMs: number | null
  readonly registrar: string | null
  readonly nameServers: readonly string[]
  /** The registrar's own server has the rest, and the registry redirects there. */
  readonly moved?: boolean
}

export type RdapSimulator = {
  /** URL of the list of registries, for `RDAP_BOOTSTRAP_URL`. */
  readonly url: string
  /** The registries of `com`, `net` and others, and of `org`, `pro` and `орг`. */
  readonly registries: readonly [ProviderSimulator, ProviderSimulator]
  readonly directory: ProviderSimulator
  close(): Promise<void>
}

export type RdapOptions = {
  /** The registration; null: the name is not registered. */
  readonly find: (name: string) => RegistryEntry | null
  /** The first of three ports; 0 or absent: free ones. */
  readonly port?: number
  readonly latencyMs?: number
  /** Queries per second of each registry; null: no limit. Default 2. */
  readonly perSecond?: number | null
}

/** `.ru` and `.рф` are in neither list: their registry has no RDAP. */
const first = ['com', 'net', 'info', 'xyz', 'shop', 'online', 'site', 'store', 'club', 'io', 'de', 'uk', 'co.uk', 'br', 'com.br', 'example']
const second = ['org', 'pro', 'xn--c1avg']
const html = '<!DOCTYPE html>\n<html><head><title>Registry</title></head><body><h1>Search for a name</h1></body></html>'

/** Two registries that respond by RDAP (RFC 9083) in different styles, and the bootstrap list (RFC 9224). */
export async function startRdapSimulator(options: RdapOptions): Promise<RdapSimulator> {
  const at = (index: number) => ({
    ...(options.port === undefined || options.port === 0 ? {} : { port: options.port + index }),
    latencyMs: options.latencyMs,
    nameOf: ({ path }: { readonly path: string }) => path.replace(/domain\/[^/]+$/, 'domain/{name}'),
  })
  const registry = (index: 0 | 1) => {
    const take = createRateWindows(options.perSecond === undefined ? 2 : options.perSecond, 1_000)
    return serveSimulator({
      ...at(index + 1),
      base: index === 0 ? '/rdap/v1' : '',
      refusals,
      handle: ({ path, nowMs }) => {
        if (!take(index, nowMs).allowed) return refusals['rate-limited']()
        const [, moved, name] = /^(\/moved)?\/domain\/([^/]+)$/.exec(path) ?? []
        const entry = name === undefined ? null : options.find(name.toLowerCase())
        if (name === undefined || entry === null) return reply(404, { errorCode: 404, title: 'Not found' })
        if (entry.moved === true && moved === undefined) return { ...reply(302, {}), headers: { location: `/moved/domain/${name}` } }
        return reply(200, index === 0 ? fullAnswer(name, entry) : shortAnswer(name, entry))
      },
    })
  }
  const registries = [await registry(0), await registry(1)] as const
  const services = [
    [first, [`${registries[0].url}/`]],
    [second, [registries[1].url]],
  ]
  const directory = await serveSimulator({
    ...at(0),
    base: '/rdap',
    refusals,
    handle: ({ path }) => (path === '/dns.json' ? reply(200, { version: '1.0', services }, 'application/json') : reply(404, {})),
  })
  return {
    url: `${directory.url}/dns.json`,
    directory,
    registries,
    close: async () => void (await Promise.all([directory, ...registries].map((each) => each.close()))),
  }
}

/** The registrations of a simulated world: names sold by its registrars, and other zones, bought elsewhere. */
export function registryOfWorld(
  market: Market,
  zoneNamed: (name: string) => { readonly nameServers: readonly string[]; readonly originalRegistrar: string | null } | null,
): (name: string) => RegistryEntry | null {
  const sellers = { NAMECHEAP: 'NameCheap, Inc.', GODADDY: 'GoDaddy.com, LLC', PORKBUN: 'Porkbun LLC', REGRU: 'REG.RU LLC' } as const
  return (name) => {
    const owner = market.ownerOf(name)
    const held = owner?.names.get(name)
    if (owner !== null && held !== undefined) {
      const { createdAtMs, expiresAtMs, nameServers } = held
      return { registeredAtMs: createdAtMs, expiresAtMs, registrar: sellers[owner.provider], nameServers }
    }
    const zone = zoneNamed(name)
    if (zone === null) return null
    const dayMs = 86_400_000
    const todayMs = Math.floor(market.now() / dayMs) * dayMs
    const number = hash32(...Buffer.from(name))
    return {
      registeredAtMs: todayMs - (400 + (number % 1_000)) * dayMs,
      expiresAtMs: todayMs + ((number % 420) - 6) * dayMs,
      registrar: zone.originalRegistrar,
      nameServers: zone.nameServers,
    }
  }
}

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 19)

/** The style of registries of generic domains. */
function fullAnswer(name: string, { registeredAtMs, expiresAtMs, registrar, nameServers }: RegistryEntry) {
  return {
    objectClassName: 'domain',
    handle: `${hash32(...Buffer.from(name))}_DOMAIN`,
    ldhName: name.toUpperCase(),
    links: [{ rel: 'self', href: `https://registry.example/domain/${name}`, type: 'application/rdap+json' }],
    status: ['client transfer prohibited'],
    entities:
      registrar === null
        ? []
        : [
            {
              objectClassName: 'entity',
              handle: '1068',
              roles: ['registrar'],
              publicIds: [{ type: 'IANA Registrar ID', identifier: '1068' }],
              vcardArray: [
                'vcard',
                [
                  ['version', {}, 'text', '4.0'],
                  ['fn', {}, 'text', registrar],
                ],
              ],
            },
          ],
    events: [
      { eventAction: 'registration', eventDate: `${iso(registeredAtMs)}Z` },
      ...(expiresAtMs === null ? [] : [{ eventAction: 'expiration', eventDate: `${iso(expiresAtMs)}Z` }]),
      { eventAction: 'last update of RDAP database', eventDate: `${iso(registeredAtMs)}Z` },
    ],
    secureDNS: { delegationSigned: false },
    nameservers: nameServers.map((host) => ({ objectClassName: 'nameserver', ldhName: host.toUpperCase() })),
    rdapConformance: ['rdap_level_0', 'icann_rdap_response_profile_0'],
  }
}

/** The style of some others: no vCards, invalid entries between good ones, dates without a time zone. */
const shortAnswer = (name: string, { expiresAtMs, registrar, nameServers }: RegistryEntry) => ({
  objectClassName: 'domain',
  ldhName: `${name}.`,
  status: 'active',
  entities: [null, { roles: 'abuse' }, ...(registrar === null ? [] : [{ roles: ['registrar'], handle: registrar, vcardArray: null }])],
  events: [{ eventAction: 'transfer' }, ...(expiresAtMs === null ? [] : [{ eventAction: 'expiration', eventDate: iso(expiresAtMs) }])],
  nameservers: nameServers.map((host) => ({ ldhName: `${host}.` })),
})

const forbidden = () => reply(403, { errorCode: 403, title: 'Forbidden' })
const refusals: Refusals = {
  'rate-limited': () => ({ ...reply(429, { errorCode: 429, title: 'Too many requests' }), headers: { 'retry-after': '2' } }),
  'server-error': () => reply(503, { errorCode: 503, title: 'Maintenance' }),
  forbidden,
  'revoked-key': forbidden,
  // An HTML page instead of a response.
  'success-false': () => ({ status: 200, contentType: 'text/html', body: html }),
}

const reply = (status: number, content: object, contentType = 'application/rdap+json'): SimulatorReply => ({
  status,
  contentType,
  body: JSON.stringify(content),
})
