import { AppError } from '#shared/errors/app-error.ts'
import type { CallOptions, TrafficDay } from '#server/ports/dns-host.ts'
import { unreadable } from './client.ts'
import type { Client } from './client.ts'
import { trafficAnswer } from './wire.ts'

const query = `query ($zone: string!, $from: Date!, $to: Date!) {
  viewer { zones(filter: { zoneTag: $zone }) {
    httpRequests1dGroups(limit: 400, filter: { date_geq: $from, date_leq: $to }, orderBy: [date_ASC]) {
      dimensions { date }
      sum { requests cachedRequests bytes cachedBytes threats pageViews }
      uniq { uniques }
    }
  } }
}`

/** Daily traffic from the GraphQL API: no envelope, errors with HTTP 200, and a separate limit. */
export async function readTraffic(
  client: Client,
  zone: string,
  range: { readonly from: string; readonly to: string },
  options: CallOptions,
): Promise<readonly TrafficDay[]> {
  const body = { query, variables: { zone, ...range } }
  const text = await client.text({ method: 'POST', path: '/graphql', body, repeat: 'read', ownLimit: true }, options)
  const { data, errors } = parse(text)
  const [error] = errors ?? []
  if (error !== undefined) {
    const code = error.extensions?.code
    throw new AppError(code === 'authz' || code === 'authn' ? 'provider_forbidden' : 'provider_rejected', {
      provider: { message: error.message ?? 'GraphQL error', ...(code === null || code === undefined ? {} : { code }) },
    })
  }
  const days = data?.viewer.zones[0]?.httpRequests1dGroups ?? []
  return days.map(({ dimensions, sum, uniq }) => ({ date: dimensions.date, ...sum, uniques: uniq.uniques }))
}

function parse(text: string) {
  try {
    return trafficAnswer.parse(JSON.parse(text))
  } catch (error) {
    throw unreadable(error)
  }
}
