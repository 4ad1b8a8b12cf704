import type { Finding } from '#server/ports/region-probe.ts'
import { isCheckWarning, reasonCatalog, reasonRow } from '#shared/features/monitoring/reasons.ts'
import type { ZoneReason } from '#shared/features/monitoring/reasons.ts'
import type { TrafficProblem } from '#shared/features/monitoring/traffic-problems.ts'
import type { CheckOptions, Reason, ReasonCode, Region } from '#shared/features/monitoring/schema.ts'
import type { View } from '../checks/view.policy.ts'

const dayMs = 86_400_000
/** How long a view counts without new checks. */
export const believedForMs = 10 * 60_000
/** How long other regions are awaited before an outage in one region is reported. */
const secondLookMs = 3 * 60_000
/** How long external checkers are awaited for regions without a probe. */
const opinionMs = 60_000

export type Health = 'ok' | 'warnings' | 'critical' | 'unknown'

export interface SeenView extends Pick<View, 'state' | 'since' | 'failures' | 'checkedAt' | 'reasons'> {
  readonly region: Region
}

/** A domain's state in the mirror. */
export interface Signals {
  readonly status: string
  readonly providerStatus: string
  readonly paused: boolean
  readonly phishing: boolean
  /** Milliseconds since 1970. */
  readonly paidUntil: number | null
  readonly autoRenew: boolean | null
  /** The nearest expiry of its certificates of Origin CA. */
  readonly originExpiresAt: number | null
  /** From when on one of them expires soon. */
  readonly originSoonAt: number | null
  /** What is unusual about its traffic. */
  readonly trafficProblems: readonly TrafficProblem[]
  /** Created or activated so recently that delegation, DNS caches and the first certificate may not be ready. */
  readonly recent: boolean
}

export type Thresholds = Pick<CheckOptions, 'downRegions' | 'expiryDays' | 'expiryDaysAutoRenew'>

/** A separate problem with its own incident. `key`: `down`, or that of its only reason. */
export interface Problem {
  readonly key: string
  readonly health: 'warnings' | 'critical'
  readonly reasons: readonly Reason[]
}

export interface HealthEvaluation {
  readonly health: Health
  /** Most severe first. */
  readonly reasons: readonly Reason[]
  readonly problems: readonly Problem[]
  /** Down somewhere, so other warnings from the views are unknown now. */
  readonly downSomewhere: boolean
}

/** The problem that a reason belongs to; an incident is matched by its first reason. */
export function keyOfReason(code: ReasonCode): string {
  const { source, severity } = reasonRow(code)
  return code === 'down_in_some_regions' || (source === 'check' && severity === 'critical') ? 'down' : code
}
const isOfZone = ({ code }: Reason): boolean => reasonRow(code).source === 'zone'

/** Whether enough of the deciding regions see it down. */
const isQuorum = (down: number, able: number, { downRegions }: Pick<Thresholds, 'downRegions'>): boolean =>
  downRegions === null ? down * 2 > able : down > 0 && down >= Math.min(downRegions, able)

/**
 * Health of a domain from all known facts (R-MON-03): down when more than half of the deciding regions see it down, or the configured number, and a
 * warning when fewer do.
 * @param live regions with a working probe
 * @param asksOthers external checkers are used for regions without a probe
 * @returns null while other regions are being asked about an outage: the health is unchanged
 */
export function evaluateHealth(
  views: readonly SeenView[],
  live: ReadonlySet<Region>,
  signals: Signals,
  now: number,
  { asksOthers, thresholds }: { readonly asksOthers: boolean; readonly thresholds: Thresholds },
): HealthEvaluation | null {
  const able = views.filter(
    ({ region, state, checkedAt }) => state !== 'unknown' && (live.has(region) || (checkedAt !== null && now - checkedAt < believedForMs)),
  )
  const down = able.filter(({ state }) => state === 'down')
  const downSince = Math.max(...down.map(({ since }) => since ?? 0))
  const isAsked = (region: Region) => (live.has(region) ? now - downSince < secondLookMs : asksOthers && now - downSince < opinionMs)
  const asked = views.filter(
    ({ region, state, failures, checkedAt }) =>
      state !== 'down' && isAsked(region) && (checkedAt === null || checkedAt < downSince || failures > 0),
  )
  const candidates = new Set([...able, ...asked]).size
  const isSure = isQuorum(down.length, candidates, thresholds)
  if (down.length > 0 && !isSure && asked.length > 0) return null

  const problems = [...problemsOfSignals(signals, now, thresholds), ...problemsOfViews(able, down, thresholds)]
  const critical = problems.filter(({ health }) => health === 'critical')
  const warnings = problems.filter(({ health }) => health === 'warnings')
  return {
    health: critical.length > 0 ? 'critical' : warnings.length > 0 ? 'warnings' : able.length === 0 ? 'unknown' : 'ok',
    reasons: [...critical, ...warnings].flatMap(({ reasons }) => reasons),
    problems,
    downSomewhere: down.length > 0,
  }
}

/**
 * Handles a domain that is being set up: until it has worked, problems visible to its visitors are not reported; other problems are.
 * @param before the last reported health
 */
export function settleIn(
  evaluation: HealthEvaluation,
  before: { readonly health: Health; readonly reasons: readonly Reason[] },
  recent: boolean,
): HealthEvaluation {
  const hasWorked = before.health === 'ok' || before.reasons.some((reason) => !isOfZone(reason))
  const isExpected = ({ key, reasons }: Problem) => key === 'zone_pending' || !reasons.some(isOfZone)
  if (!recent || hasWorked || !evaluation.problems.some(isExpected)) return evaluation
  const problems = evaluation.problems.filter((problem) => !isExpected(problem))
  const health = problems.some((problem) => problem.health === 'critical') ? 'critical' : problems.length > 0 ? 'warnings' : 'unknown'
  return { health, reasons: [...problems.flatMap(({ reasons }) => reasons), settingUp], problems, downSomewhere: true }
}
const settingUp: Reason = { code: 'setting_up', params: {}, regions: [] }

function problemsOfViews(able: readonly SeenView[], down: readonly SeenView[], thresholds: Thresholds): Problem[] {
  const problems: Problem[] = []
  if (down.length > 0) {
    const reasons = merge(down, (code) => !isCheckWarning(code))
    if (isQuorum(down.length, able.length, thresholds)) problems.push({ key: 'down', health: 'critical', reasons })
    else {
      const regions = down.map(({ region }) => region)
      const some: Reason = { code: 'down_in_some_regions', params: { down: down.length, of: able.length }, regions }
      problems.push({ key: 'down', health: 'warnings', reasons: [some, ...reasons] })
    }
  }
  const up = able.filter(({ state }) => state === 'up')
  for (const reason of merge(up, isCheckWarning)) problems.push({ key: reason.code, health: 'warnings', reasons: [reason] })
  return problems
}

function problemsOfSignals(
  { status, providerStatus, paused, phishing, paidUntil, autoRenew, originExpiresAt, originSoonAt, trafficProblems }: Signals,
  now: number,
  { expiryDays, expiryDaysAutoRenew }: Thresholds,
): Problem[] {
  const problem = (code: ZoneReason, params: Reason['params'] = {}): Problem => ({
    key: keyOfReason(code),
    health: reasonCatalog[code].severity,
    reasons: [{ code, params, regions: [] }],
  })
  const daysTo = (at: number | null) => (at === null ? null : Math.floor((at - now) / dayMs))
  const [days, originDays] = [daysTo(paidUntil), daysTo(originExpiresAt)]
  return [
    ...(phishing ? [problem('phishing')] : []),
    ...(isMoved(providerStatus) ? [problem('zone_moved')] : []),
    ...(days !== null && days < 0 ? [problem('domain_expired', { days: -days })] : []),
    ...(days !== null && days >= 0 && days < (autoRenew === true ? expiryDaysAutoRenew : expiryDays)
      ? [problem('domain_expires_soon', { days })]
      : []),
    ...(originDays !== null && originDays < 0 ? [problem('origin_cert_expired', { days: -originDays })] : []),
    ...(originDays !== null && originDays >= 0 && originSoonAt !== null && originSoonAt < now
      ? [problem('origin_cert_expires_soon', { days: originDays })]
      : []),
    ...trafficProblems.map(({ code, params }) => problem(code, params)),
    ...(paused ? [problem('zone_paused')] : []),
    ...(status === 'pending' || status === 'initializing' ? [problem('zone_pending')] : []),
  ]
}

/** Cloudflare statuses of a zone that it no longer serves. */
const isMoved = (providerStatus: string): boolean => providerStatus === 'moved' || providerStatus === 'deactivated'

/** Merges the same reason from several regions; the parameters are those of the first region. */
function merge(views: readonly SeenView[], wanted: (code: ReasonCode) => boolean): Reason[] {
  const found = new Map<ReasonCode, { readonly finding: Finding; readonly regions: Region[] }>()
  for (const { region, reasons } of views) {
    for (const finding of reasons) {
      if (!wanted(finding.code)) continue
      const known = found.get(finding.code)
      if (known === undefined) found.set(finding.code, { finding, regions: [region] })
      else if (!known.regions.includes(region)) known.regions.push(region)
    }
  }
  return [...found.values()].map(({ finding: { code, params }, regions }) => ({ code, params, regions }))
}
