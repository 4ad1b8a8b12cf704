import type { Services } from '#server/platform/context.ts'
import type { CheckResult } from '#server/ports/region-probe.ts'
import type { CheckOptions, Region } from '#shared/features/monitoring/schema.ts'
import { evaluateZones } from '../health/evaluate-zones.ts'
import { hurryRetries } from '../incidents/shared-cause.repo.ts'
import { hoursKeptMs } from '../history/partitions.repo.ts'
import { deleteClaims } from './schedule.repo.ts'
import type { Job } from './schedule.repo.ts'
import { advance } from './view.policy.ts'
import type { HourOfChecks, View } from './view.policy.ts'
import { scheduleOtherRegions, insertHours, lockMonitors, lockViews, updateCertificates, updateViews } from './views.repo.ts'

export interface Checked {
  readonly job: Pick<Job, 'domainId' | 'intervalSeconds' | 'hurried'>
  readonly options: Pick<CheckOptions, 'failuresToDown' | 'successesToUp'>
  readonly result: CheckResult
}

/** Only the last result of each domain, in case it was checked twice concurrently. */
const onceEach = (checked: readonly Checked[]) => new Map(checked.map((each) => [each.job.domainId, each]))

/**
 * Writes a region's check results in one transaction with everything derived from them: views, hours, certificates, health and incidents; and
 * completes these claims.
 * @returns the owners with changed data
 */
export async function writeResults(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  region: Region,
  checked: readonly Checked[],
  claimsDone: readonly string[],
): Promise<Set<string>> {
  const now = clock.now()
  const byZone = onceEach(checked)
  return db.orm.transaction(async (tx) => {
    const locked = await lockViews(tx, region, [...byZone.keys()])
    const views = new Map<string, View>()
    const hours: { domainId: string; hour: HourOfChecks }[] = []
    const certificates: { domainId: string; certificate: NonNullable<CheckResult['certificate']> }[] = []
    const toEvaluate: string[] = []
    const wentDown: string[] = []
    const failedOnce: string[] = []
    const resumedZones = new Set<string>()
    for (const [domainId, { view: before, health, fingerprint }] of locked) {
      const each = byZone.get(domainId)
      if (each === undefined) continue
      const { job, result, options } = each
      const { view, ended, changed, resumed } = advance(before, result, options, job.intervalSeconds * 1_000, now)
      views.set(domainId, view)
      if (resumed) resumedZones.add(domainId)
      // The partition may have been dropped if the domain was not checked for long.
      if (ended !== null && now - ended.hour < hoursKeptMs) hours.push({ domainId, hour: ended })
      if (result.certificate !== null && result.certificate.fingerprint !== fingerprint) {
        certificates.push({ domainId, certificate: result.certificate })
      }
      if (view.state === 'down' && before.state !== 'down') wentDown.push(domainId)
      if (view.state !== 'down' && view.failures > 0 && view.retryAt !== null) failedOnce.push(domainId)
      const differs = (view.state === 'down' && health !== 'critical') || (health === 'unknown' && view.state !== 'unknown')
      if (changed || job.hurried || differs) toEvaluate.push(domainId)
    }
    await updateViews(tx, region, views)
    await insertHours(tx, region, hours)
    await lockMonitors(tx, [...certificates.map(({ domainId }) => domainId), ...toEvaluate])
    await updateCertificates(tx, certificates)
    const owners = await evaluateZones(tx, toEvaluate, now, resumedZones)
    await hurryRetries(tx, region, failedOnce, now)
    await scheduleOtherRegions(tx, region, wentDown, now)
    await deleteClaims(tx, claimsDone)
    return owners
  })
}
