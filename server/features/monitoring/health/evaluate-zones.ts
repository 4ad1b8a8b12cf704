import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '#server/db/client.ts'
import { updateHealth } from '#server/features/domains/mirror/index.ts'
import { dampFlapping } from './flapping.policy.ts'
import { trafficProblemBits } from '#shared/features/monitoring/traffic-problems.ts'
import { causeOf, planIncidents } from '../incidents/incident.policy.ts'
import type { OpenIncident } from '../incidents/incident.policy.ts'
import { checkSharers } from '../incidents/check-sharers.ts'
import type { OwnedCause } from '../incidents/shared-cause.repo.ts'
import { closeIncidents, insertIncidents, listOpen, note, worsen } from '../incidents/incidents.repo.ts'
import type { NewIncident } from '../incidents/incidents.repo.ts'
import { listLiveRegions, listViews, lockWatched, updateEvaluated } from './evaluation.repo.ts'
import type { EvaluatedZone, Watched } from './evaluation.repo.ts'
import { listAskingOwners } from '../checks/second-opinions.repo.ts'
import { evaluateHealth, settleIn } from './evaluate-health.policy.ts'
import type { Health, Problem, HealthEvaluation } from './evaluate-health.policy.ts'

/** Monitoring was paused by a person. */
const unwatched: HealthEvaluation = { health: 'unknown', reasons: [], problems: [], downSomewhere: false }

/**
 * Evaluates domains and opens, updates or closes their incidents in the current transaction, so that readers see a consistent state.
 * @param resumed domains that had no checks for long: their current state counts from now
 * @returns the owners with changed data
 */
export async function evaluateZones(
  tx: Transaction,
  domainIds: readonly string[],
  now: number,
  resumed: ReadonlySet<string> = new Set(),
): Promise<Set<string>> {
  const owners = new Set<string>()
  if (domainIds.length === 0) return owners
  const watched = await lockWatched(tx, domainIds, now)
  const ids = watched.map(({ domainId }) => domainId)
  const [views, live, incidents] = [await listViews(tx, ids), await listLiveRegions(tx, now), await listOpen(tx, ids)]
  const askingOthers = await listAskingOwners(tx, [...new Set(watched.map(({ ownerId }) => ownerId))])
  const evaluated: EvaluatedZone[] = []
  const opened: NewIncident[] = []
  const worse: { id: string; reasons: Problem['reasons']; cause: string }[] = []
  const notes: { id: string; reasons: Problem['reasons'] }[] = []
  const closed: string[] = []
  const dropped: string[] = []
  const recovered: OwnedCause[] = []
  const failed: OwnedCause[] = []
  for (const zone of watched) {
    const { signals, thresholds } = zone
    const limits = { asksOthers: askingOthers.has(zone.ownerId), thresholds }
    const seen = views.get(zone.domainId) ?? []
    const found = zone.isPaused ? unwatched : evaluateHealth(seen, live, signals, now, limits)
    if (found === null) continue
    const evaluation = zone.isPaused ? found : settleIn(found, zone, signals.recent)
    const isResumed = resumed.has(zone.domainId)
    const lookedAt = seen.length === 0 ? now : Math.max(...seen.map(({ checkedAt }) => checkedAt ?? 0))
    const { flapping, ...next } = dampFlapping(zone, evaluation, { now, lookedAt, isResumed })
    if (isResumed || isNew(zone, next)) {
      const since = next.health === zone.health && !isResumed ? zone.since : now
      evaluated.push({ domainId: zone.domainId, ...next, since, packed: zone.packed })
      owners.add(zone.ownerId)
    } else if (zone.packed !== zone.packedBefore) evaluated.push({ ...zone, packed: zone.packed })
    const open = incidents.get(zone.domainId) ?? []
    if (zone.isPaused) {
      dropped.push(...open.map(({ id }) => id))
      continue
    }
    const plan = planIncidents(open, evaluation, flapping)
    opened.push(...plan.open.map((problem) => incidentOf(zone, problem)))
    const unknown = zone.isTrafficUnknown ? idsOfTraffic(open, plan.close) : new Set<string>()
    const ended = new Set(plan.close.filter((id) => !unknown.has(id)))
    recovered.push(...open.filter(({ id }) => ended.has(id)).map(({ cause }) => ({ ownerId: zone.ownerId, cause })))
    failed.push(...[...plan.open, ...plan.worsen.map(({ problem }) => problem)].filter(isDown).map((problem) => ownedCause(zone, problem)))
    worse.push(...plan.worsen.map(({ id, problem }) => ({ id, reasons: problem.reasons, cause: causeOf(problem, zone) })))
    notes.push(...plan.note)
    closed.push(...ended)
    dropped.push(...unknown)
  }
  await updateEvaluated(tx, evaluated)
  await updateHealth(
    tx,
    evaluated.map(({ domainId }) => domainId),
  )
  await insertIncidents(tx, opened, now)
  await worsen(tx, worse, now)
  await note(tx, notes, now)
  await closeIncidents(tx, closed, now, 'recovered')
  await closeIncidents(tx, dropped, now, 'unwatched')
  await checkSharers(tx, { failed, recovered }, now)
  return owners
}

/** Of the incidents to close, those of traffic: without figures, nobody knows whether it is usual again. */
function idsOfTraffic(open: readonly OpenIncident[], closing: readonly string[]): Set<string> {
  const ofTraffic = open.filter(({ reasons: [first] }) => first !== undefined && first.code in trafficProblemBits)
  return new Set(ofTraffic.flatMap(({ id }) => (closing.includes(id) ? [id] : [])))
}

const isNew = (
  zone: Watched,
  next: { readonly health: Health; readonly reasons: Problem['reasons']; readonly changes: readonly number[] },
) => zone.health !== next.health || zone.changes.length !== next.changes.length || !isDeepStrictEqual(zone.reasons, next.reasons)

const isDown = ({ health }: Problem) => health === 'critical'
const ownedCause = (zone: Watched, problem: Problem): OwnedCause => ({ ownerId: zone.ownerId, cause: causeOf(problem, zone) })

const incidentOf = (zone: Watched, problem: Problem): NewIncident => ({
  ownerId: zone.ownerId,
  domainId: zone.domainId,
  accountId: zone.accountId,
  groupId: zone.groupId,
  name: zone.name,
  health: problem.health,
  reasons: problem.reasons,
  cause: causeOf(problem, zone),
})
