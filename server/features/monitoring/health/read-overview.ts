import { domainToUnicode } from 'node:url'
import type { z } from 'zod'
import { requireZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { getOwnerScope, grantsOf, sharedOf } from '#server/platform/access-scope.ts'
import { causeValue, readCause } from '#shared/features/monitoring/cause.ts'
import type { listIncidentsInput, listIncidentsOutput, MonitoringOverview, OpenCause } from '#shared/features/monitoring/reports.ts'
import { region } from '#shared/features/monitoring/schema.ts'
import { toSettings } from '../get-settings.ts'
import { isoOf, reasonList, toIncident } from '../incidents/incident-view.ts'
import {
  countByHealth,
  countHeld,
  countOpenedByHour,
  countUnseen,
  listIncidentRows,
  listOpenCauses,
  listProbeRegions,
} from './overview-reading.repo.ts'
import type { CauseRow } from './overview-reading.repo.ts'
import { findSettingsRow } from '../settings.repo.ts'

const hourMs = 3_600_000
const mostCauses = 100

const toCause = ({ actor }: Ctx, row: CauseRow): OpenCause => ({
  cause: row.cause,
  ownerId: row.ownerId,
  // A domain's registrar and tracker are visible only to their owner.
  name:
    (['registrar', 'tracker'].includes(readCause(row.cause).kind) && actor.role !== 'admin' && row.ownerId !== actor.userId
      ? ''
      : row.name) ?? causeValue(row.cause),
  health: row.health,
  incidents: row.incidents,
  since: isoOf(row.since),
  names: row.first.map(({ zone_id: domainId, name }) => ({ zoneId: domainId, name, displayName: domainToUnicode(name) || name })),
  reasons: reasonList.parse(row.first[0]?.reasons ?? []),
})

/** Current problems grouped by cause, and the state of monitoring itself. */
export async function readOverview(ctx: Ctx, input: { readonly ownerId?: string | undefined }): Promise<MonitoringOverview> {
  const scope = await getOwnerScope(ctx, input.ownerId)
  const db = ctx.db.orm
  const now = new Date(ctx.clock.now())
  const thisHour = Math.floor(now.getTime() / hourMs) * hourMs
  const [healths, held, causes, regions, unseen, hours, row] = await Promise.all([
    countByHealth(db, scope),
    countHeld(db, scope, now),
    listOpenCauses(db, scope, mostCauses),
    listProbeRegions(db, now),
    countUnseen(db, scope, now),
    countOpenedByHour(db, scope, new Date(thisHour - 23 * hourMs)),
    findSettingsRow(db, scope?.ownerId ?? ctx.actor.userId),
  ])
  const settings = toSettings(row, null)
  const count = (health: string) => healths.find((each) => each.health === health)?.n ?? 0
  const opened = new Map(hours.map(({ hour, opened: n }) => [isoOf(hour), n]))
  const running = new Map(regions.map((each) => [each.region, each]))
  return {
    enabled: settings.enabled,
    checkInterval: settings.checkInterval,
    watched: healths.reduce((sum, { n }) => sum + n, 0),
    health: { ok: count('ok'), warnings: count('warnings'), critical: count('critical'), unknown: count('unknown') },
    ...held,
    openIncidents: causes[0]?.allIncidents ?? 0,
    causes: causes.map((cause) => toCause(ctx, cause)),
    regions: region.options
      .filter((each) => running.has(each) || settings.regions.includes(each))
      .map((each) => {
        const found = running.get(each)
        return {
          region: each,
          probes: found?.probes ?? 0,
          online: found?.online ?? 0,
          checksPerSecond: found?.checksPerSecond ?? 0,
          lagMs: found?.lagMs ?? 0,
          pace: found?.pace ?? 1,
          unseen: unseen.get(each) ?? 0,
          reason: found === undefined ? ('no_probe' as const) : null,
        }
      }),
    lastDay: Array.from({ length: 24 }, (_, index) => {
      const hour = new Date(thisHour - (23 - index) * hourMs).toISOString()
      return { hour, opened: opened.get(hour) ?? 0 }
    }),
  }
}

/** Newest first. @throws AppError not_found */
export async function listIncidents(
  ctx: Ctx,
  { ownerId, zoneId: domainId, ...query }: z.output<typeof listIncidentsInput>,
): Promise<z.output<typeof listIncidentsOutput>> {
  if (domainId !== undefined) await requireZone(ctx, domainId, 'view')
  // Access to the domain includes its incidents.
  const scope = domainId === undefined ? await getOwnerScope(ctx, ownerId) : null
  const [rows, grants] = await Promise.all([listIncidentRows(ctx.db.orm, scope, { ...query, domainId }), grantsOf(ctx)])
  const incidents = rows.map((row) => {
    const accessTarget = { ownerId: row.ownerId, accountId: row.accountId, groupId: row.groupId }
    return toIncident(row, sharedOf(ctx.actor, grants, accessTarget))
  })
  return { incidents, nextCursor: rows.length < query.limit ? null : (rows.at(-1)?.id ?? null) }
}
