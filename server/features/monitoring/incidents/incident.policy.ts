import { causes, causeStart } from '#shared/features/monitoring/cause.ts'
import { isCheckWarning, reasonRow } from '#shared/features/monitoring/reasons.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { keyOfReason } from '../health/evaluate-health.policy.ts'
import type { Problem, HealthEvaluation } from '../health/evaluate-health.policy.ts'

export interface OpenIncident {
  readonly id: string
  readonly health: 'warnings' | 'critical'
  readonly reasons: readonly Reason[]
  /** Codes in the last entry of its timeline. */
  readonly lastCodes: string
}

interface IncidentPlan {
  readonly open: readonly Problem[]
  /** Became critical, and are reported again. */
  readonly worsen: readonly { readonly id: string; readonly problem: Problem }[]
  /** The reasons changed, which adds an entry to the timeline. */
  readonly note: readonly { readonly id: string; readonly reasons: readonly Reason[] }[]
  readonly close: readonly string[]
}

export const codesText = (reasons: readonly Reason[]): string => [...new Set(reasons.map(({ code }) => code))].toSorted().join(' ')

/** Changes to a domain's incidents: one incident per problem, from its start to its end. */
export function planIncidents(
  incidents: readonly OpenIncident[],
  { health, problems, downSomewhere }: Pick<HealthEvaluation, 'health' | 'problems' | 'downSomewhere'>,
  flapping: boolean,
): IncidentPlan {
  const byKey = new Map(problems.map((problem) => [problem.key, problem]))
  const known = new Set<string>()
  const worsen: { id: string; problem: Problem }[] = []
  const note: { id: string; reasons: readonly Reason[] }[] = []
  const close: string[] = []
  for (const incident of incidents) {
    const [first] = incident.reasons
    const key = first === undefined ? '' : keyOfReason(first.code)
    const problem = byKey.get(key)
    known.add(key)
    if (problem === undefined) {
      // While the domain is down, other warnings cannot be observed.
      const hidden = downSomewhere && first !== undefined && isCheckWarning(first.code)
      if (health !== 'unknown' && !flapping && !hidden) close.push(incident.id)
    } else if (problem.health === 'critical' && incident.health === 'warnings') worsen.push({ id: incident.id, problem })
    else if (codesText(problem.reasons) !== incident.lastCodes) note.push({ id: incident.id, reasons: problem.reasons })
  }
  return { open: problems.filter(({ key }) => !known.has(key)), worsen, note, close }
}

/** What a domain may share with others. */
export interface Dependencies {
  readonly originIp: string | null
  readonly registrarId: string | null
  readonly trackerId: string | null
  readonly nameServers: readonly string[]
}

/** The root cause that many domains may share. */
export function causeOf({ reasons }: Pick<Problem, 'reasons'>, { originIp, registrarId, trackerId, nameServers }: Dependencies): string {
  const real = reasons.find(({ code }) => code !== 'down_in_some_regions') ?? reasons[0]
  if (real === undefined) return `${causeStart.code}unknown`
  const { code, params } = real
  const status = params['status']
  const { origin } = reasonRow(code)
  const originFails = origin === 'always' || (origin === 'server_error' && typeof status === 'number' && status >= 500)
  if (originFails && originIp !== null) return causes.origin(originIp)
  // A domain that points to a name instead of addresses.
  if (originFails && trackerId !== null) return causes.tracker(trackerId)
  if (code === 'dns_no_answer' && nameServers.length > 0) return causes.name_servers(nameServers)
  if (code === 'domain_expired' && registrarId !== null) return causes.registrar(registrarId)
  return causes.code(code)
}
