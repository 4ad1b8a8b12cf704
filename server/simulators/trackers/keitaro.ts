import { domainToASCII, domainToUnicode } from 'node:url'

import type { SimulatorCall, SimulatorReply } from '../serve.ts'
import { jsonReply } from '../serve.ts'
import { serveTracker } from './serve-tracker.ts'
import type { TrackerOptions, TrackerSimulator } from './serve-tracker.ts'
import { idIn, parseBody, stamp } from './state.ts'
import type { SimTrackedDomain, TrackerState } from './state.ts'

export type KeitaroSimulator = TrackerSimulator<KeitaroWays>

type KeitaroWays = {
  /** Without it every call gets 402. */
  adminApi: boolean
  /** The response to a check, a restore and a change. */
  answers: 'array' | 'object' | 'nothing'
  groupsAt: '/groups' | '/domains/groups' | null
  archiveListed: boolean
  /** According to the documentation a campaign's domain is writable but not readable. */
  campaignsReportDomain: boolean
}

const API = '/admin_api/v1'
const usual: KeitaroWays = { adminApi: true, answers: 'array', groupsAt: '/groups', archiveListed: true, campaignsReportDomain: false }

/** Keitaro's Admin API v1 for domains: existing names get 406, deleting means archiving, and other paths are HTML pages. */
export function startKeitaroSimulator(options: TrackerOptions = {}): Promise<KeitaroSimulator> {
  return serveTracker<KeitaroWays>(
    {
      apiKey: 'b7c9e1f0a2d4463f8e5b',
      idOf: String,
      usual,
      nameOf: (path) => path.replace(API, '').replace(/\/\d+/, '/{id}'),
      failure,
      words: { broken: 'SQLSTATE[HY000]: General error: 2006 MySQL server has gone away', forbidden: 'Forbidden' },
      handle,
    },
    options,
  )
}

function handle(state: TrackerState, ways: KeitaroWays, call: SimulatorCall): SimulatorReply {
  if (!call.path.startsWith(`${API}/`)) {
    const found = ['/', '/admin', '/admin/'].includes(call.path)
    return {
      status: found ? 200 : 404,
      contentType: 'text/html; charset=utf-8',
      body: '<!DOCTYPE html><html><head><title>Keitaro</title></head></html>',
    }
  }
  if (call.headers['api-key'] !== state.apiKey) return failure(401, 'Unauthorized')
  if (!ways.adminApi) return failure(402, 'Admin API is not available in your edition')
  const [, kind = '', id, action] = call.path.slice(API.length).split('/')
  const route = `${call.method} /${kind}${id === undefined ? '' : /^\d+$/.test(id) ? '/:id' : `/${id}`}${action === undefined ? '' : `/${action}`}`
  if (route === `GET ${ways.groupsAt}`) return jsonReply(groupsOf(state, call.query.get('type')))
  switch (route) {
    case 'GET /domains':
      return jsonReply(domainsOf(state, false))
    case 'GET /domains/deleted':
      return ways.archiveListed ? jsonReply(domainsOf(state, true)) : failure(404, 'Not found')
    case 'POST /domains':
      return create(state, parseBody(call.body))
    case 'GET /campaigns':
      return jsonReply(
        [...state.campaigns.values()].map(({ domainId, ...campaign }) => ({
          ...campaign,
          id: Number(campaign.id),
          type: 'position',
          ...(ways.campaignsReportDomain && { domain_id: domainId === null ? null : Number(domainId) }),
        })),
      )
    case 'PUT /campaigns/:id': {
      const campaign = state.campaigns.get(id ?? '')
      if (campaign === undefined) return failure(404, 'Campaign not found')
      const domainId = idIn(parseBody(call.body), 'domain_id') ?? null
      if (domainId !== null && !state.domains.has(domainId)) return jsonReply({ domain_id: ['Domain not found'] }, 406)
      campaign.domainId = domainId
      return jsonReply({ id: Number(campaign.id), name: campaign.name, state: campaign.state })
    }
    default: {
      const domain = state.domains.get(id ?? '')
      if (kind !== 'domains' || domain === undefined) return failure(404, kind === 'domains' ? 'Domain not found' : 'Not found')
      return handleOne(state, ways, domain, route, call)
    }
  }
}

function handleOne(state: TrackerState, ways: KeitaroWays, domain: SimTrackedDomain, route: string, call: SimulatorCall): SimulatorReply {
  const answer = () => {
    const row = rowOf(state, domain)
    return ways.answers === 'nothing' ? jsonReply(null, 200, '') : jsonReply(ways.answers === 'array' ? [row] : row)
  }
  switch (route) {
    case 'GET /domains/:id':
      return jsonReply(rowOf(state, domain))
    case 'PUT /domains/:id': {
      const wrong = apply(state, domain, parseBody(call.body))
      return wrong ?? answer()
    }
    case 'DELETE /domains/:id':
      if (domain.archived) return failure(404, 'Domain not found')
      domain.archived = true
      return jsonReply(rowOf(state, domain), 201)
    case 'POST /domains/:id/restore':
      if (!domain.archived) return failure(404, 'Domain not found')
      domain.archived = false
      return answer()
    case 'POST /domains/:id/check':
      state.check(domain)
      return answer()
    default:
      return failure(404, 'Not found')
  }
}

function create(state: TrackerState, body: Readonly<Record<string, unknown>>): SimulatorReply {
  const given = (typeof body['name'] === 'string' ? body['name'] : '').split(',').map((name) => name.trim())
  const names = given.map((name) => domainToASCII(name) || name.toLowerCase())
  if (names.some((name) => !/^[a-z0-9*-]+(\.[a-z0-9-]+)+$/.test(name))) return jsonReply({ name: ['Invalid domain name'] }, 406)
  const taken = names.map((name) => state.find(name)).find((domain) => domain !== null)
  if (taken !== undefined) return jsonReply({ name: [taken.archived ? 'Domain is in the archive' : 'Domain already exists'] }, 406)
  const made = names.map((name) => state.add({ name, ssl: 'pending' }))
  for (const domain of made) {
    const wrong = apply(state, domain, body)
    if (wrong === null) continue
    for (const { id } of made) state.domains.delete(id)
    return wrong
  }
  return jsonReply(made.map((domain) => rowOf(state, domain)))
}

/** Applies the input to the domain, or returns its errors. */
function apply(state: TrackerState, domain: SimTrackedDomain, body: Readonly<Record<string, unknown>>): SimulatorReply | null {
  const campaignId = idIn(body, 'default_campaign_id')
  const groupId = idIn(body, 'group_id')
  const sslRedirect = body['ssl_redirect']
  if (typeof campaignId === 'string' && !state.campaigns.has(campaignId))
    return jsonReply({ default_campaign_id: ['Campaign not found'] }, 406)
  if (typeof groupId === 'string' && !state.groups.has(groupId)) return jsonReply({ group_id: ['Group not found'] }, 406)
  if (campaignId !== undefined) domain.campaignId = campaignId
  if (groupId !== undefined) domain.groupId = groupId
  if (typeof sslRedirect === 'boolean') domain.sslRedirect = sslRedirect
  return null
}

const domainsOf = (state: TrackerState, archived: boolean) =>
  [...state.domains.values()].filter((domain) => domain.archived === archived).map((domain) => rowOf(state, domain))

const groupsOf = (state: TrackerState, type: string | null) =>
  type === 'domains' || type === null
    ? [...state.groups].map(([id, name], position) => ({ id: Number(id), name, position, type: 'domains' }))
    : []

/** As observed for a tracker of 2025; dates are in its own time zone. */
function rowOf(state: TrackerState, domain: SimTrackedDomain) {
  const campaign = domain.campaignId === null ? undefined : state.campaigns.get(domain.campaignId)
  const at = stamp(domain.createdAtMs)
  return {
    id: Number(domain.id),
    // Text that is no internationalized name is unchanged.
    name: domainToUnicode(domain.name) || domain.name,
    is_ssl: domain.ssl === 'issued',
    network_status: domain.error === null ? 'active' : 'error',
    status: domain.error === null ? 'ok' : 'error',
    default_campaign_id: domain.campaignId === null ? null : Number(domain.campaignId),
    default_campaign: campaign?.name ?? null,
    state: domain.archived ? 'deleted' : 'active',
    created_at: at,
    updated_at: at,
    catch_not_found: false,
    notes: null,
    campaigns_count: state.campaignsOf(domain),
    ssl_redirect: domain.sslRedirect,
    allow_indexing: true,
    group_id: domain.groupId === null ? null : Number(domain.groupId),
    group: domain.groupId === null ? null : (state.groups.get(domain.groupId) ?? null),
    ssl_status: domain.ssl,
    ssl_data: domain.ssl === 'error' ? { error: 'Too many failed authorizations recently' } : null,
    next_check_at: null,
    check_retries: domain.checks,
    error_description: domain.error?.description ?? null,
    error_solution: domain.error?.solution ?? null,
  }
}

const failure = (status: number, error: string): SimulatorReply => jsonReply({ error }, status)
