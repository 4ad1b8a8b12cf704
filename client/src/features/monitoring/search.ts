import type { AlertMessage } from '#shared/features/alerts/schema.ts'
import { parseOwnership } from '#client/lib/ownership.ts'

export const messageStates = ['pending', 'sending', 'sent', 'failed', 'dropped'] as const satisfies AlertMessage['state'][]
export const monitoringTabs = ['now', 'incidents', 'certificates', 'messages'] as const
export type MonitoringTabId = (typeof monitoringTabs)[number]

/** What the monitoring page keeps in its address. */
export interface MonitoringSearch {
  /** An administrator looks at one person's. */
  owner?: string
  /** Absent: what is wrong now. */
  tab?: Exclude<MonitoringTabId, 'now'>
  cause?: string
  state?: 'open' | 'closed'
  health?: 'critical' | 'warnings'
  q?: string
  /** Certificates: when they end. */
  ends?: 'ended' | 'week' | 'month' | 'later'
  /** Messages: what became of them, and where they went. */
  sent?: AlertMessage['state']
  channel?: string
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const oneOf = <T extends string>(options: readonly T[], value: unknown): T | undefined => options.find((each) => each === value)
const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

/** Reads anything at all; what is not understood is left out. A cause alone means its incidents. */
export function parseMonitoringSearch(raw: unknown): MonitoringSearch {
  const given: Readonly<Record<string, unknown>> = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {}
  const cause = text(given['cause']).slice(0, 300)
  const q = text(given['q']).slice(0, 255)
  const tab = oneOf(['incidents', 'certificates', 'messages'] as const, given['tab']) ?? (cause === '' ? undefined : 'incidents')
  const state = oneOf(['open', 'closed'] as const, given['state'])
  const health = oneOf(['critical', 'warnings'] as const, given['health'])
  const ends = oneOf(['ended', 'week', 'month', 'later'] as const, given['ends'])
  const sent = oneOf(messageStates, given['sent'])
  const channel = text(given['channel'])
  const { owner } = parseOwnership(given)
  return {
    ...(owner && { owner }),
    ...(tab && { tab }),
    ...(cause !== '' && { cause }),
    ...(state && { state }),
    ...(health && { health }),
    ...(q !== '' && { q }),
    ...(ends && { ends }),
    ...(sent && { sent }),
    ...(uuid.test(channel) && { channel }),
  }
}

export type ChangeSearch = (part: { [K in keyof MonitoringSearch]: MonitoringSearch[K] | undefined }) => void
