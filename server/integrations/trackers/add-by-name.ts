import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { NewTrackedDomain, TrackedDomain, TrackerCall, TrackerConnection } from '#server/ports/ad-tracker.ts'

/** After these errors the domain may exist: added before, or added now with the answer lost. */
const unclear = new Set<ErrorCode>(['tracker_rejected', 'tracker_unavailable', 'tracker_timeout', 'tracker_unreadable'])

/** Maximum age of a list used to find existing domains. */
const maxAgeMs = 30_000

/** The last list of a tracker's domains; cleared when a domain is archived or restored. */
export interface RecentList {
  latest: { readonly atMs: number; readonly domains: readonly TrackedDomain[] } | null
}

/**
 * Sends a new domain once, finds the result by name, and changes it as requested. An existing one keeps its campaign, group and redirect
 * unless others were requested.
 * @throws AppError the tracker's error, if the domain does not exist afterwards
 */
export async function addByName(
  recent: RecentList,
  connection: Pick<TrackerConnection, 'able' | 'listDomains' | 'updateDomain' | 'restoreDomain'>,
  order: NewTrackedDomain,
  call: TrackerCall,
  create: () => Promise<readonly TrackedDomain[]>,
): Promise<TrackedDomain> {
  const { able } = connection
  let domain = await createOrFind(recent, order.name, create, () => connection.listDomains(call))
  if (domain.archived && able.restore) domain = await connection.restoreDomain(domain.id, call)
  const change = {
    ...(able.campaign && order.campaignId !== null && domain.campaign?.id !== order.campaignId ? { campaignId: order.campaignId } : {}),
    ...(able.group && order.groupId !== null && domain.group?.id !== order.groupId ? { groupId: order.groupId } : {}),
    ...(able.sslRedirect && order.sslRedirect && domain.sslRedirect === false ? { sslRedirect: true } : {}),
  }
  return Object.keys(change).length === 0 ? domain : connection.updateDomain(domain.id, change, call)
}

async function createOrFind(
  recent: RecentList,
  name: string,
  create: () => Promise<readonly TrackedDomain[]>,
  list: () => Promise<readonly TrackedDomain[]>,
): Promise<TrackedDomain> {
  let refusal: AppError | null = null
  try {
    const made = byName(await create(), name)
    if (made !== null) return made
  } catch (error) {
    if (!(error instanceof AppError) || !unclear.has(error.code)) throw error
    refusal = error
  }
  const known = recent.latest
  const fresh = known !== null && performance.now() - known.atMs < maxAgeMs
  const before = fresh && refusal?.code === 'tracker_rejected' ? byName(known.domains, name) : null
  if (before !== null) return before
  const atMs = performance.now()
  const domains = await list().catch((error: unknown) => {
    throw refusal ?? error
  })
  recent.latest = { atMs, domains }
  const found = byName(domains, name)
  if (found === null) throw refusal ?? new AppError('tracker_unreadable')
  return found
}

/** An active domain takes precedence over an archived one. */
const byName = (domains: readonly TrackedDomain[], name: string): TrackedDomain | null =>
  domains.find((domain) => domain.name === name && !domain.archived) ?? domains.find((domain) => domain.name === name) ?? null
