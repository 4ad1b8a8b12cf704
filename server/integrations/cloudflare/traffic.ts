import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { ProviderZoneId } from '#shared/ids.ts'
import type { CallOptions, TrafficDay } from '#server/ports/dns-host.ts'
import { unreadable } from './client.ts'
import type { Client } from './client.ts'
import { trafficAnswer } from './wire.ts'

const query = `query ($zones: [String!], $from: Date!, $to: Date!) {
  viewer { zones(filter: { zoneTag_in: $zones }) {
    zoneTag
    httpRequests1dGroups(limit: 400, filter: { date_geq: $from, date_leq: $to }, orderBy: [date_ASC]) {
      dimensions { date }
      sum { requests cachedRequests bytes cachedBytes threats pageViews responseStatusMap { edgeResponseStatus requests } }
      uniq { uniques }
    }
  } }
}`

/**
 * Beyond a limit it says so in an answer with HTTP 200, for example "quota exceeded, please repeat your request in the next minute":
 * developers.cloudflare.com/analytics/graphql-api/errors, MapleTechLabs/maple#528, cloudflare/cloudflare-docs#5189.
 */
const limitWords = /budget depleted|rate limit|too many (?:requests|queries)|quota exceeded|limit reached/i

/** Daily traffic from the GraphQL API: no envelope, errors with HTTP 200, and a separate limit. */
export async function readTraffic(
  client: Client,
  zones: readonly ProviderZoneId[],
  range: { readonly from: string; readonly to: string },
  options: CallOptions,
): Promise<ReadonlyMap<ProviderZoneId, readonly TrafficDay[]>> {
  const body = { query, variables: { zones, ...range } }
  const text = await client.text({ method: 'POST', path: '/graphql', body, repeat: 'read', ownLimit: true }, options)
  const { data, errors } = parse(text)
  const answered = readableZones(data?.viewer.zones ?? [], errors ?? [])
  const [error] = errors ?? []
  if (error !== undefined) {
    const code = error.extensions?.code
    const provider = { message: error.message ?? 'GraphQL error', ...(code === null || code === undefined ? {} : { code }) }
    if (limitWords.test(provider.message)) throw new AppError('provider_rate_limited', { params: { retryAfterSeconds: 300 }, provider })
    if (answered.length === 0) throw new AppError(codeOf(errors ?? []), { provider })
  } else if (answered.length === 0 && (data === null || data === undefined || data.viewer.zones.length > 0)) throw unreadable(null)
  const read = new Map(
    answered.map(({ zoneTag, days }) => [
      zoneTag,
      days.map(({ dimensions, sum: { responseStatusMap, ...sum }, uniq }): TrafficDay => {
        const countOf = (from: number, to: number) =>
          responseStatusMap.reduce(
            (total, { edgeResponseStatus: status, requests }) => (status >= from && status < to ? total + requests : total),
            0,
          )
        return {
          date: dimensions.date,
          ...sum,
          uniques: uniq.uniques,
          clientErrors: countOf(400, 500),
          serverErrors: countOf(500, 1_000),
        }
      }),
    ]),
  )
  return new Map(zones.flatMap((zone) => (read.has(zone) ? [[zone, read.get(zone) ?? []] as const] : [])))
}

type Answer = z.output<typeof trafficAnswer>
type WireZone = NonNullable<Answer['data']>['viewer']['zones'][number]

type WireErrors = NonNullable<Answer['errors']>

/** An error that is not about one of the zones is a failure of the moment, so asking for each zone separately is pointless. */
function codeOf(errors: WireErrors) {
  if (errors.some(({ extensions }) => extensions?.code === 'authz' || extensions?.code === 'authn')) return 'provider_forbidden'
  return errors.some((error) => zoneIndexOf(error) !== undefined) ? 'provider_rejected' : 'provider_unavailable'
}

/** Cloudflare documents `["viewer", "zones", "0", …]`, with the index as text. */
const zoneIndexOf = ({ path }: WireErrors[number]): number | undefined => {
  const index = path?.find((part) => /^\d+$/.test(String(part)))
  return index === undefined ? undefined : Number(index)
}

/**
 * The zones whose traffic was read although others failed. An error that names no zone may concern all of them, so that one without any day then
 * counts as failed rather than as without traffic.
 */
function readableZones(zones: readonly WireZone[], errors: WireErrors) {
  const failed = errors.map(zoneIndexOf)
  return zones.flatMap((zone, index) => {
    const days = zone?.httpRequests1dGroups
    if (zone === null || zone === undefined || days === null || days === undefined) return []
    return failed.includes(index) || (days.length === 0 && failed.includes(undefined)) ? [] : [{ zoneTag: zone.zoneTag, days }]
  })
}

function parse(text: string) {
  try {
    return trafficAnswer.parse(JSON.parse(text))
  } catch (error) {
    throw unreadable(error)
  }
}
