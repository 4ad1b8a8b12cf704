import { hash32 } from './random.ts'
import { createRateWindows } from './rate-window.ts'
import type { Market } from './registrars/market.ts'
import { serveSimulator } from './serve.ts'
import type { Refusals, SimulatorReply, ProviderSimulator } from './serve.ts'

/** A name as its registry has it. */
export type RegistryEntry = {
  readonly registeredAtMs: number
  /** Null: this registry does not report. */
  readonly expiresAtMs: number | null
  readonly registrar: string | null
  readonly nameServers: readonly string[]
  /** Its registrar's own server has the rest: the registry sends callers there. */
  readonly moved?: boolean
}

export type RdapSimulator = {
  /** Of the list of registries, as `RDAP_BOOTSTRAP_URL` takes it. */
  readonly url: string
  /** Of `com`, `net` and what else is not the other's, and of `org`, `pro` and `орг`. */
  readonly registries: readonly [ProviderSimulator, ProviderSimulator]
  readonly directory: ProviderSimulator
  close(): Promise<void>
}

export type RdapOptions = {
  /** What is registered; null: nothing of that name. */
  readonly find: (name: string) => RegistryEntry | null
  /** The first of three; 0 or absent: free ones. */
  readonly port?: number
  readonly latencyMs?: number
  /** Questions a second that each registry answers; null: any number. Default 2. */
  readonly perSecond?: number | null
}

/** `.ru` and `.рф` are in neither: their registry has no RDAP. */
const first = ['com', 'net', 'info', 'xyz', 'shop', 'online', 'site', 'store', 'club', 'io', 'de', 'uk', 'co.uk', 'br', 'com.br', 'example']
const second = ['org', 'pro', 'xn--c1avg']
const html = '<!DOCTYPE html>\n<html><head><title>Registry</title></head><body><h1>Search for a name</h1></body></html>'

/** Two registries that answer by RDAP (RFC 9083), each with its own habits, and the list that says which is whose (RFC 9224). */
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

/** What the registries of a simulated world know: what its registrars sold, and what else is a zone, bought who knows where. */
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

/** As registries of generic domains write it. */
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

/** As some others do: no cards, odd entries between the good ones, dates without a zone. */
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
  // A page for people, where the answer should be.
  'success-false': () => ({ status: 200, contentType: 'text/html', body: html }),
}

const reply = (status: number, content: object, contentType = 'application/rdap+json'): SimulatorReply => ({
  status,
  contentType,
  body: JSON.stringify(content),
})
