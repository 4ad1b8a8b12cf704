import { messageStates } from '#shared/features/alerts/message-states.ts'
import type { AlertMessage } from '#shared/features/alerts/schema.ts'
import { parseOwnership } from '#client/lib/ownership.ts'
import { compact, searchParams, type SearchPart } from '#client/lib/search-params.ts'

export const monitoringTabs = ['now', 'incidents', 'certificates', 'messages'] as const
export type MonitoringTabId = (typeof monitoringTabs)[number]

/** The URL parameters of the monitoring page. */
export interface MonitoringSearch {
  /** The owner, for administrators. */
  owner?: string
  /** Defaults to the current problems. */
  tab?: Exclude<MonitoringTabId, 'now'>
  cause?: string
  state?: 'open' | 'closed'
  health?: 'critical' | 'warnings'
  q?: string
  /** The open incident. */
  incident?: string
  /** Certificates: the expiry. */
  ends?: 'ended' | 'week' | 'month' | 'later'
  /** Messages: result and channel. */
  sent?: AlertMessage['state']
  channel?: string
}

/** A cause without other filters opens its incidents; an incident opens their list, too. */
export function parseMonitoringSearch(raw: unknown): MonitoringSearch {
  const { text, id, oneOf } = searchParams(raw)
  const cause = text('cause', 300)
  const incident = id('incident')
  return compact<MonitoringSearch>({
    owner: parseOwnership(raw).owner,
    tab:
      oneOf('tab', ['incidents', 'certificates', 'messages']) ?? (cause === undefined && incident === undefined ? undefined : 'incidents'),
    cause,
    state: oneOf('state', ['open', 'closed']),
    health: oneOf('health', ['critical', 'warnings']),
    q: text('q'),
    incident,
    ends: oneOf('ends', ['ended', 'week', 'month', 'later']),
    sent: oneOf('sent', messageStates),
    channel: id('channel'),
  })
}

export type ChangeSearch = (part: SearchPart<MonitoringSearch>) => void
