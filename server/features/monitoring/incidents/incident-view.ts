import { domainToUnicode } from 'node:url'
import { z } from 'zod'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { timelineEntry } from '#shared/features/monitoring/reports.ts'
import { reason } from '#shared/features/monitoring/schema.ts'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import type { IncidentRow } from '../health/overview-reading.repo.ts'

export const reasonList = z.array(reason)
export const findingList = z.array(reason.pick({ code: true, params: true }))
const timeline = z.array(timelineEntry)
export const isoOf = (written: string) => new Date(written).toISOString()
export const isoOrNull = (written: string | null) => (written === null ? null : isoOf(written))

export const toIncident = (row: IncidentRow, shared: SharedWithMe): Incident => ({
  id: row.id,
  ownerId: row.ownerId,
  shared,
  zoneId: row.domainId,
  name: row.name,
  displayName: domainToUnicode(row.name) || row.name,
  health: row.health,
  reasons: reasonList.parse(row.reasons),
  cause: row.cause,
  openedAt: isoOf(row.openedAt),
  closedAt: isoOrNull(row.closedAt),
  acknowledgedAt: isoOrNull(row.acknowledgedAt),
  acknowledgedBy: row.acknowledgedBy,
  told: row.told,
  timeline: timeline.parse(row.timeline),
})
