import { openAccountOfJob } from '#server/features/sync/index.ts'
import type { Services } from '#server/platform/context.ts'
import { zonesPerTrafficQuery } from '#server/ports/dns-host.ts'
import type { HostConnection, TrafficDay } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { trafficDays } from '#shared/features/domains/schema.ts'
import { followTrafficProblems } from './follow-traffic-problems.ts'
import { claimAccount, deleteOldTraffic, listUnread, updateTrafficDue, upsertTraffic } from './traffic.repo.ts'
import { updateTotals } from './totals.repo.ts'
import type { UnreadZone, ZoneTraffic } from './traffic.repo.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
/** The traffic of a zone is read once a day; new zones within this time. */
const everyMs = 6 * hourMs
const readEveryMs = 22 * hourMs
/** An account whose credential may not read traffic, or is rejected, is tried again after this time. */
const refusedMs = dayMs
/** Older traffic is deleted. */
const oldMs = 7 * dayMs
const retryMs = 10 * minuteMs
/** Far longer than a read of all zones whose storing extends it. */
const leaseMs = 10 * minuteMs
/** From the start of a query to that of the next: a user has 300 in 5 minutes, which the pages of domains use too. */
const queryEveryMs = 1_000
const zonesPerBatch = 200
/** After this many zones without permission and none with it, the credential lacks it, rather than single zones being special. */
const refusalsAtFirst = 3
/** The same for other errors of zones: after those of three queries, all of them fail for now. */
const failuresAtFirst = 30
/** After this many in a run, zones that are read together with one without permission are left for the next run. */
const mostRefusals = 100

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The dates of the last 30 days including today, in UTC, the oldest first. */
export const datesUntil = (ms: number): string[] =>
  Array.from({ length: trafficDays }, (_, index) => dateOf(ms - (trafficDays - 1 - index) * dayMs))

/**
 * Reads the traffic of one account that is due. A killed process leaves a lease that ends, and what it read stays; an account or zone that is
 * deleted meanwhile is no error.
 * @returns whether one was due
 */
export async function readDueTraffic(services: Services, signal: AbortSignal): Promise<boolean> {
  const { clock, db, log } = services
  const now = clock.now()
  const lease = new Date(now + leaseMs)
  const claimed = await claimAccount(db, new Date(now), lease)
  if (claimed === null) return false
  const claim: Claim = { accountId: claimed.id, lease }
  await deleteOldTraffic(db, claimed.id, new Date(now - oldMs))
  // A rejected credential is not tried before a check accepts it.
  const reading = claimed.isRejected ? Promise.resolve(everyMs) : readAccount(services, claim, signal)
  const nextMs = await reading.catch((error: unknown) => {
    if (signal.aborted) return 0
    if (!(error instanceof AppError)) throw error
    log.warn({ err: error, accountId: claimed.id }, 'failed to read traffic')
    return error.code === 'provider_forbidden' || error.code === 'provider_auth' ? refusedMs : retryMs
  })
  await updateTrafficDue(db.orm, claimed.id, claim.lease, new Date(clock.now() + nextMs))
  return true
}

interface Claim {
  readonly accountId: string
  /** Until when no other process takes over. */
  lease: Date
}

/** @returns in how many milliseconds the account is due again */
async function readAccount(services: Services, claim: Claim, signal: AbortSignal): Promise<number> {
  const { clock, db } = services
  const { accountId } = claim
  const account = await openAccountOfJob(services, accountId)
  if (account === null) return everyMs
  const reader = createReader(services, account.connection, signal)
  const since = new Date(clock.now() - readEveryMs)
  for (let after: string | null = null; ;) {
    const zones: readonly UnreadZone[] = await listUnread(db.orm, accountId, since, after, zonesPerBatch)
    const last = zones.at(-1)
    if (last === undefined) {
      await followTrafficProblems(db, accountId, since)
      await updateTotals(db, accountId)
      return everyMs
    }
    for (let start = 0; start < zones.length; start += zonesPerTrafficQuery) {
      await upsertTraffic(db, await reader(zones.slice(start, start + zonesPerTrafficQuery)))
    }
    after = last.id
    const lease = new Date(clock.now() + leaseMs)
    if (!(await updateTrafficDue(db.orm, accountId, claim.lease, lease))) return everyMs
    claim.lease = lease
  }
}

/** Reads zones together; where that is refused, each separately, because one that may not or cannot be read can refuse all of them. */
function createReader({ clock }: Services, connection: HostConnection, signal: AbortSignal) {
  let refused = 0
  let hasRead = false
  let nextAt = 0

  /** Also a refused query counts toward the limit. */
  async function readPaced<T>(send: () => Promise<T>): Promise<T> {
    const began = clock.now()
    // What storing took is made up for, a longer delay is not.
    nextAt = (began - nextAt > queryEveryMs ? began : nextAt) + queryEveryMs
    try {
      return await send()
    } finally {
      await clock.sleep(Math.max(0, nextAt - clock.now()), signal)
    }
  }

  async function query(zones: readonly UnreadZone[]): Promise<ZoneTraffic[]> {
    const now = clock.now()
    const dates = datesUntil(now)
    const [from = '', to = ''] = [dates[0], dates.at(-1)]
    const ids = zones.map(({ providerZoneId }) => providerZoneId)
    const read = await readPaced(() => connection.traffic(ids, { from, to }, { priority: 'sync', signal }))
    hasRead = true
    return zones.flatMap(({ id, providerZoneId }) => {
      const days = read.get(providerZoneId)
      return days === undefined ? [] : [{ id, ...byDay(days, dates), readAt: new Date(now).toISOString() }]
    })
  }

  return async (zones: readonly UnreadZone[]): Promise<ZoneTraffic[]> => {
    try {
      return await query(zones)
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (refused >= mostRefusals) return []
      const traffic: ZoneTraffic[] = []
      for (const zone of zones) {
        try {
          traffic.push(...(await query([zone])))
        } catch (refusal) {
          if (!isRefusal(refusal)) throw refusal
          refused += 1
          if (!hasRead && refused >= (isForbidden(refusal) ? refusalsAtFirst : failuresAtFirst)) throw refusal
        }
      }
      return traffic
    }
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'provider_forbidden' || error.code === 'provider_not_found')
/** Of these zones, rather than of all or of the moment. */
const isRefusal = (error: unknown): boolean => isForbidden(error) || (error instanceof AppError && error.code === 'provider_rejected')

/** A day that the provider leaves out had no traffic. */
function byDay(days: readonly TrafficDay[], dates: readonly string[]): Omit<ZoneTraffic, 'id' | 'readAt'> {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const daysOf = (of: 'requests' | 'bytes' | 'threats' | 'clientErrors' | 'serverErrors') =>
    dates.map((date) => byDate.get(date)?.[of] ?? 0)
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const [requests, bytes, threats] = [daysOf('requests'), daysOf('bytes'), daysOf('threats')]
  const [clientErrors, serverErrors] = [daysOf('clientErrors'), daysOf('serverErrors')]
  return {
    requests: sum(requests),
    bytes: sum(bytes),
    threats: sum(threats),
    clientErrors: sum(clientErrors),
    serverErrors: sum(serverErrors),
    days: requests,
    byteDays: bytes,
    threatDays: threats,
    clientErrorDays: clientErrors,
    serverErrorDays: serverErrors,
  }
}
