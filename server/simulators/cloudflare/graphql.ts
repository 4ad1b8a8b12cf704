import { createRateWindow } from '../rate-window.ts'
import { between, hash32, randomFrom } from '../random.ts'
import { isObject } from '../deliver.ts'
import { bodyOf } from './call.ts'
import type { Call } from './call.ts'
import { mayUseZone } from './caller.ts'
import type { SimZone } from './model.ts'
import { bareJson } from './reply.ts'
import type { Reply } from './reply.ts'

const DAY_MS = 86_400_000
const DAYS_KEPT = 30
const ZONES_MAX = 10
const QUERIES_MAX = 300
const WINDOW_MS = 300_000

/**
 * POST /graphql: `httpRequests1dGroups` of up to ten zones, 30 days. Not a GraphQL engine: it reads the zones, the dates and the limit from
 * the query's text or its variables, and returns every known field. Errors are sent with HTTP 200. A day without requests is missing.
 *
 * Ten zones a query and 300 queries in five minutes a user: developers.cloudflare.com/analytics/graphql-api/limits. `zoneTag_in` and
 * `responseStatusMap`: the exporters ONSdigital/cloudflare_exporter and
 * lablabs/cloudflare-exporter (the former); ONSdigital's and several dashboards (the latter).
 */
export function queryAnalytics(call: Call): Reply {
  const user = call.caller.budgetKey
  const window = call.state.analytics.get(user) ?? createRateWindow(QUERIES_MAX, WINDOW_MS, WINDOW_MS)
  call.state.analytics.set(user, window)
  if (!window.take(call.nowMs).allowed) return failure('Rate limiter budget depleted. Please try again after 5 minutes.', 'budget')
  if (call.state.analyticsAnswer !== null) return bareJson(call.state.analyticsAnswer)
  const body = bodyOf(call)
  const query = typeof body['query'] === 'string' ? body['query'] : ''
  const variables = isObject(body['variables']) ? body['variables'] : {}
  if (!query.includes('httpRequests1dGroups')) return failure('unknown field; only httpRequests1dGroups is kept')
  const text = `${query} ${JSON.stringify(variables)}`
  const ids = [...new Set(text.match(/\b[0-9a-f]{32}\b/g) ?? [])]
  if (ids.length > ZONES_MAX) return failure(`cannot query more than ${ZONES_MAX} zones at once`)
  const zones = ids.map((id) => call.state.zonesById.get(id))
  const allowed = zones.filter((zone): zone is SimZone => zone !== undefined && mayUseZone(call.caller, zone))
  if (allowed.length !== ids.length) return failure('zone does not have access to the path')

  const today = Math.floor(call.nowMs / DAY_MS)
  const dates = (text.match(/\d{4}-\d{2}-\d{2}/g) ?? []).map((date) => Math.floor(Date.parse(date) / DAY_MS)).toSorted((a, b) => a - b)
  const first = dates[0] ?? today - DAYS_KEPT
  const last = Math.min(today, dates.at(-1) ?? today)
  if (first < today - DAYS_KEPT - 1) return failure(`cannot request data older than ${DAYS_KEPT}d`)
  return bareJson({
    data: {
      viewer: {
        zones: allowed.map((zone) => ({
          zoneTag: zone.id,
          httpRequests1dGroups: call.state.analyticsFailing.has(zone.id)
            ? null
            : Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => dayOf(call, zone, first + index)),
        })),
      },
    },
    errors: errorsOf(allowed, call.state.analyticsFailing),
  })
}

/**
 * Of zones whose traffic cannot be read; that of the others is in the same answer. The index is text:
 * developers.cloudflare.com/analytics/graphql-api/errors.
 */
function errorsOf(zones: readonly SimZone[], failing: ReadonlySet<string>) {
  const errors = zones.flatMap(({ id }, index) =>
    failing.has(id)
      ? [
          {
            message: 'internal server error',
            path: ['viewer', 'zones', String(index), 'httpRequests1dGroups'],
            extensions: { code: 'internal' },
          },
        ]
      : [],
  )
  return errors.length === 0 ? null : errors
}

function dayOf({ state, nowMs }: Call, zone: SimZone, day: number) {
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10)
  const given = state.analyticsOf?.(zone, date) ?? {}
  const random = randomFrom(hash32(zone.serial, 80, day))
  const usual = zone.status === 'active' ? between(random, 20, 40_000) : 0
  const requests = given.requests ?? usual
  const cachedRequests = Math.floor(requests * random())
  const bytes = requests * between(random, 900, 40_000)
  return {
    dimensions: { date },
    sum: {
      requests,
      cachedRequests,
      bytes,
      cachedBytes: Math.floor(bytes * random()),
      threats: given.threats ?? Math.floor(requests * random() * 0.02),
      pageViews: Math.floor(requests * 0.3),
      responseStatusMap: statusesOf(requests, given.serverErrors, random, day < Math.floor(nowMs / DAY_MS) - 3),
    },
    uniq: { uniques: Math.floor(requests * 0.2) },
  }
}

/** A zone usually has few errors, and sometimes had a bad day. */
function statusesOf(requests: number, givenErrors: number | undefined, random: () => number, mayBeBad: boolean) {
  const share = random() * 0.04
  const serverShare = random() < 0.05 && mayBeBad ? random() * 0.4 : random() * 0.003
  const notFound = Math.floor(requests * share)
  const unavailable = givenErrors ?? Math.floor(requests * serverShare)
  return [
    { edgeResponseStatus: 200, requests: requests - notFound - unavailable },
    { edgeResponseStatus: 404, requests: notFound },
    { edgeResponseStatus: 502, requests: unavailable },
  ].filter((each) => each.requests > 0)
}

function failure(message: string, code = 'authz'): Reply {
  return bareJson({ data: null, errors: [{ message, path: ['viewer', 'zones'], extensions: { code } }] })
}
