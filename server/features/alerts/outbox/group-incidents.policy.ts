import { isForReview } from '#shared/features/monitoring/cause.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { mostNames } from '#server/features/monitoring/index.ts'
import type { CauseNaming } from '#server/features/monitoring/index.ts'
import type { EachIncident, Part } from './message.ts'

/** An incident as it is reported. */
export interface NotifiableIncident {
  readonly id: string
  readonly domainId: string | null
  readonly groupId: string | null
  readonly name: string
  readonly health: 'warnings' | 'critical'
  readonly reasons: readonly Reason[]
  readonly cause: string
  readonly openedAt: Date
  /** Null: the start is reported. */
  readonly closedAt: Date | null
  /** It was reported as a warning before. */
  readonly worse: boolean
  /** Other incidents of its cause were reported just before. */
  readonly more: boolean
}

const mostReasons = 5
/** Number of incidents in one webhook call. */
export const mostIncidentsOfCall = 500

/** What is for review is reported for each account, because what was done where and by whom is the message. */
const keyOf = ({ id, cause, health, closedAt, worse, more }: NotifiableIncident) =>
  `${closedAt === null} ${health} ${worse} ${more} ${cause} ${isForReview(cause) ? id : ''}`

const each = ({ id, domainId, name, openedAt, closedAt }: NotifiableIncident): EachIncident => ({
  id,
  zoneId: domainId,
  name,
  openedAt: openedAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
})

/** Common reasons: those of the incident with the most, without parameters that differ in others. */
const reasonsOf = (incidents: readonly NotifiableIncident[]): Reason[] => {
  const [first] = incidents.toSorted((one, other) => other.reasons.length - one.reasons.length)
  if (incidents.length === 1) return (first?.reasons ?? []).slice(0, mostReasons)
  const others = Map.groupBy(
    incidents.flatMap(({ reasons }) => reasons),
    ({ code }) => code,
  )
  const isShared = (code: Reason['code'], name: string, value: unknown) =>
    others.get(code)?.every(({ params }) => params[name] === value) === true
  return (first?.reasons ?? []).slice(0, mostReasons).map((reason) => ({
    ...reason,
    params: Object.fromEntries(Object.entries(reason.params).filter(([name, value]) => isShared(reason.code, name, value))),
  }))
}

/**
 * Groups incidents into messages by what they have in common, most severe first.
 * @param naming `describeCauses`; `all` includes every incident, split into several messages if necessary
 */
export function groupIncidents(
  incidents: readonly NotifiableIncident[],
  naming: ReadonlyMap<string, CauseNaming>,
  { takenAt, all }: { readonly takenAt: Date; readonly all: boolean },
): Part[] {
  const groups = [...Map.groupBy(incidents, keyOf).values()].flatMap((group) =>
    all
      ? Array.from({ length: Math.ceil(group.length / mostIncidentsOfCall) }, (_, at) =>
          group.slice(at * mostIncidentsOfCall, (at + 1) * mostIncidentsOfCall),
        )
      : [group],
  )
  const parts = groups.flatMap((group): Part[] => {
    const [first] = group
    if (first === undefined) return []
    const named = naming.get(first.cause)
    // A domain in two accounts has two incidents but counts as one domain for people.
    const names = [...new Set(group.map(({ name }) => name))]
    const shared = {
      cause: first.cause,
      causeName: named?.name ?? (first.domainId === null ? first.name : null),
      health: first.health,
      count: first.domainId === null && named !== undefined ? Math.max(1, named.domains) : all ? group.length : names.length,
      names: names.slice(0, mostNames),
      domains: first.domainId === null ? [...(named?.first ?? [])] : [],
      zoneId: group.length === 1 ? first.domainId : null,
      reasons: reasonsOf(group),
      takenAt: takenAt.toISOString(),
      ...(all && { incidents: group.map(each) }),
    }
    if (first.closedAt === null) {
      const since = Math.min(...group.map(({ openedAt }) => openedAt.getTime()))
      return [
        { kind: 'opened', ...shared, since: new Date(since).toISOString(), worse: first.worse, more: first.more, incidentId: first.id },
      ]
    }
    const lengths = group.map(({ openedAt, closedAt }) => Math.max(0, (closedAt?.getTime() ?? 0) - openedAt.getTime()))
    return [{ kind: 'closed', ...shared, shortestMs: Math.min(...lengths), longestMs: Math.max(...lengths) }]
  })
  const rank = (part: Part) => (part.kind === 'closed' ? 2 : part.health === 'critical' ? 0 : 1)
  return parts.toSorted((one, other) => rank(one) - rank(other) || other.count - one.count)
}
