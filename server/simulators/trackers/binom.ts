import { domainToASCII } from 'node:url'

import { hexId } from '../random.ts'
import type { SimulatorCall, SimulatorReply } from '../serve.ts'
import { jsonReply } from '../serve.ts'
import { serveTracker } from './serve-tracker.ts'
import type { TrackerOptions, TrackerSimulator } from './serve-tracker.ts'
import { idIn, parseBody, stamp } from './state.ts'
import type { SimTrackedDomain, TrackerState } from './state.ts'

export type BinomSimulator = TrackerSimulator<BinomWays>

type BinomWays = {
  /** How domains are created: with an id from the client, without one, or not at all. */
  create: 'by-id' | 'plain' | 'none'
  /** The response to a new domain. */
  answers: 'id' | 'nothing'
  /** Supports reading a single domain. */
  single: boolean
  list: '/domains' | '/domain/list/filtered'
  indexPage: boolean
}

const API = '/public/api/v1'
const usual: BinomWays = { create: 'by-id', answers: 'id', single: true, list: '/domains', indexPage: true }
const NEVER = '1970-01-01 00:00:00'

/** Binom's API v2 for domains: ids are UUIDs, there is no archive, and the start of 1970 means never. */
export function startBinomSimulator(options: TrackerOptions = {}): Promise<BinomSimulator> {
  return serveTracker<BinomWays>(
    {
      apiKey: '4f6a9d20c1b84e7ea2f35d90b8c7e613',
      idOf: (serial) => uuid(hexId(40, serial)),
      usual,
      nameOf: (path) => path.replace(API, '').replace(/\/[0-9a-f-]{36}/, '/{id}'),
      failure,
      words: { broken: 'Internal server error', forbidden: 'Access denied' },
      handle,
    },
    options,
  )
}

function handle(state: TrackerState, ways: BinomWays, call: SimulatorCall): SimulatorReply {
  if (!call.path.startsWith(`${API}/`)) {
    return {
      status: 200,
      contentType: 'text/html; charset=utf-8',
      body: '<!doctype html><html><head><title>Binom</title></head><body></body></html>',
    }
  }
  if (call.headers['api-key'] !== state.apiKey) return failure(401, 'Unauthorized')
  const path = call.path.slice(API.length)
  const id = /\/([0-9a-f-]{36})/.exec(path)?.[1]
  const route = `${call.method} ${id === undefined ? path : path.replace(id, ':id')}`
  if (route === `GET ${ways.list}`) {
    return jsonReply([...state.domains.values()].map((domain) => (ways.list === '/domains' ? rowOf(state, domain) : shortRowOf(domain))))
  }
  if (route === 'POST /domain/:id' && ways.create === 'by-id') return create(state, ways, parseBody(call.body), id)
  if (route === 'POST /domain' && ways.create === 'plain') return create(state, ways, parseBody(call.body))
  if (route === 'GET /campaign/short/info')
    return jsonReply([...state.campaigns.values()].map(({ id, name, alias: key }) => ({ id: Number(id), name, key })))
  const domain = id === undefined ? undefined : state.domains.get(id)
  return handleOne(state, ways, domain, route, call)
}

function handleOne(
  state: TrackerState,
  ways: BinomWays,
  domain: SimTrackedDomain | undefined,
  route: string,
  call: SimulatorCall,
): SimulatorReply {
  const known = ['DELETE /domain/:id', 'GET /domain/:id/check']
  if (ways.single) known.push('GET /domain/:id')
  if (ways.indexPage) known.push('PUT /domain/index_page/:id')
  if (!known.includes(route)) return failure(route.startsWith('GET') ? 404 : 405, `No route found for "${route}"`)
  if (domain === undefined) return failure(404, 'Domain not found')
  switch (route) {
    case 'DELETE /domain/:id':
      state.domains.delete(domain.id)
      return jsonReply(null, 200, '')
    case 'GET /domain/:id/check':
      state.check(domain)
      return jsonReply({ status: domain.ssl === 'issued' })
    case 'PUT /domain/index_page/:id': {
      const campaignId = idIn(parseBody(call.body), 'campaignId') ?? null
      if (campaignId !== null && !state.campaigns.has(campaignId)) return failure(400, 'Campaign not found')
      domain.campaignId = campaignId
      return jsonReply(null, 200, '')
    }
    default:
      return jsonReply(rowOf(state, domain))
  }
}

function create(state: TrackerState, ways: BinomWays, { host }: Readonly<Record<string, unknown>>, id?: string): SimulatorReply {
  const name = typeof host === 'string' ? domainToASCII(host) || host.toLowerCase() : ''
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)) return jsonReply({ errors: { host: ['This value is not a valid hostname.'] } }, 422)
  if (state.find(name) !== null) return jsonReply({ errors: { host: ['Domain already exists.'] } }, 422)
  const domain = state.add({ name, ...(id !== undefined && { id }) })
  return ways.answers === 'nothing' ? jsonReply(null, 201, '') : jsonReply({ id: domain.id }, 201)
}

/** As observed for `GET /domains` in 2025. */
function rowOf(state: TrackerState, domain: SimTrackedDomain) {
  const campaign = domain.campaignId === null ? undefined : state.campaigns.get(domain.campaignId)
  return {
    id: domain.id,
    domain: domain.name,
    isBanned: false,
    createdAt: stamp(domain.createdAtMs),
    expiresAt: domain.ssl === 'issued' ? stamp(domain.createdAtMs + 90 * 86_400_000) : NEVER,
    indexPage: domain.campaignId === null ? null : Number(domain.campaignId),
    isSsl: domain.ssl === 'issued',
    certificateError: domain.ssl === 'error' ? 'Certificate could not be issued: too many failed authorizations recently' : null,
    checkError: domain.error?.description ?? null,
    isDefault: false,
    campaignsCount: state.campaignsOf(domain),
    campaignName: campaign?.name ?? null,
  }
}

const shortRowOf = ({ id, name, ssl, createdAtMs }: SimTrackedDomain) => ({
  id,
  host: name,
  isBanned: false,
  expiresAt: ssl === 'issued' ? stamp(createdAtMs + 90 * 86_400_000) : NEVER,
  accessLevel: 'MODIFY',
})

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`

const failure = (status: number, message: string): SimulatorReply => jsonReply({ message }, status)
