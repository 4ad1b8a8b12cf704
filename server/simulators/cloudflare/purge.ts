import { isObject } from '../deliver.ts'
import { bodyOf } from './call.ts'
import type { Call } from './call.ts'
import type { PlanId, SimZone } from './model.ts'
import { CloudflareError, ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'

/** Bucket size and refill per second; the bucket belongs to the account, not to the zone. */
const LIMITS: Readonly<
  Record<PlanId, { readonly size: number; readonly perSecond: number; readonly urls: number; readonly urlsPerSecond: number }>
> = {
  free: { size: 25, perSecond: 5 / 60, urls: 100, urlsPerSecond: 800 },
  pro: { size: 25, perSecond: 5, urls: 100, urlsPerSecond: 1500 },
  business: { size: 50, perSecond: 10, urls: 100, urlsPerSecond: 1500 },
  enterprise: { size: 500, perSecond: 50, urls: 500, urlsPerSecond: 3000 },
}
const KINDS = ['purge_everything', 'files', 'tags', 'hosts', 'prefixes'] as const
const ITEMS_MAX = 100

/** POST /zones/{zone}/purge_cache: exactly one kind of selection. */
export function purgeCache(call: Call, zone: SimZone): Reply {
  const body = bodyOf(call)
  const given = KINDS.filter((kind) => kind in body)
  const kind = given[0]
  if (kind === undefined || given.length > 1)
    throw refuse(400, 1012, 'Request must contain exactly one of purge_everything, files, tags, hosts or prefixes')
  const limits = LIMITS[zone.plan]
  if (kind === 'purge_everything') {
    if (body[kind] !== true) throw refuse(400, 1012, 'purge_everything must be true')
    take(call, `${zone.account.id} ${zone.plan}`, 1, limits.size, limits.perSecond)
    return ok({ id: zone.id })
  }
  const items = body[kind]
  const max = kind === 'files' ? limits.urls : ITEMS_MAX
  if (!Array.isArray(items) || items.length === 0) throw refuse(400, 1012, `${kind} must be a list with at least one entry`)
  if (items.length > max) throw refuse(400, 1094, `Only ${max} ${kind} may be purged at once`)
  if (kind === 'files') {
    for (const item of items) requireOwnUrl(item, zone)
    take(call, `${zone.account.id} ${zone.plan} urls`, items.length, limits.urlsPerSecond, limits.urlsPerSecond)
  } else {
    take(call, `${zone.account.id} ${zone.plan}`, 1, limits.size, limits.perSecond)
  }
  return ok({ id: zone.id })
}

function requireOwnUrl(item: unknown, zone: SimZone): void {
  const url = isObject(item) ? item['url'] : item
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null
  const host = parsed?.hostname ?? ''
  if (host !== zone.name && !host.endsWith(`.${zone.name}`))
    throw refuse(400, 1016, `Unable to purge ${String(url)}, which is an invalid URL for this zone.`)
}

function take(call: Call, key: string, cost: number, size: number, perSecond: number): void {
  const bucket = call.state.purgeBuckets.get(key) ?? { tokens: size, atMs: call.nowMs }
  const tokens = Math.min(size, bucket.tokens + ((call.nowMs - bucket.atMs) / 1000) * perSecond)
  if (tokens < cost) {
    const waitSeconds = Math.max(1, Math.ceil((cost - tokens) / perSecond))
    throw new CloudflareError(
      429,
      [{ code: 1134, message: 'Unable to purge: rate limit reached. Please wait if you need to perform more operations.' }],
      {
        'retry-after': String(waitSeconds),
      },
    )
  }
  call.state.purgeBuckets.set(key, { tokens: tokens - cost, atMs: call.nowMs })
}
