import { getOwnerScope, requireLevel } from '#server/platform/access-scope.ts'
import { muteDomains } from '../act-on-watching.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isForReview } from '#shared/features/monitoring/cause.ts'
import type { IncidentMark, IncidentsTarget } from '#shared/features/alerts/schema.ts'
import { listByIds, listWatchedOfAccount, markAcknowledged, noteMuted } from './mark-incidents.repo.ts'
import type { IncidentRow } from './mark-incidents.repo.ts'
import { listOpenIds } from '../health/overview-reading.repo.ts'

/**
 * Open incidents of a cause that the actor may change; `ownerId` restricts them to one owner.
 * @throws AppError level_too_low if the actor sees some and may change none of them
 */
async function listOpenOfCause(
  ctx: Ctx,
  { cause, ownerId }: { readonly cause: string; readonly ownerId?: string | undefined },
): Promise<string[]> {
  const ids = await listOpenIds(ctx.db.orm, await getOwnerScope(ctx, ownerId, 'operate'), cause)
  if (ids.length > 0) return ids
  const visible = await listOpenIds(ctx.db.orm, await getOwnerScope(ctx, ownerId), cause)
  if (visible.length > 0) throw new AppError('level_too_low')
  return ids
}

/** @throws AppError not_found when one does not exist or belongs to someone else, level_too_low */
async function getIncidents(ctx: Ctx, given: readonly string[]): Promise<IncidentRow[]> {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))]
  const rows = await listByIds(ctx.db.orm, ids)
  if (rows.length !== ids.length) throw new AppError('not_found')
  const toAccessTarget = (row: IncidentRow) => ({ ownerId: row.ownerId, accountId: row.zoneAccountId, groupId: row.groupId })
  const targets = new Map(rows.map((row) => [JSON.stringify(toAccessTarget(row)), toAccessTarget(row)]))
  for (const accessTarget of targets.values()) await requireLevel(ctx, accessTarget, 'operate')
  return rows
}

async function getIncident(ctx: Ctx, id: string): Promise<IncidentRow> {
  const [row] = await getIncidents(ctx, [id])
  if (row === undefined) throw new AppError('not_found')
  return row
}

const toMark = (row: IncidentRow, muted: number): IncidentMark => ({
  id: row.id,
  acknowledgedAt: row.acknowledgedAt === null ? null : new Date(row.acknowledgedAt).toISOString(),
  acknowledgedBy: row.acknowledgedBy,
  muted,
})

/** Records who handles incidents of one owner; an earlier acknowledgement stays. */
export async function acknowledgeRows(ctx: Ctx, rows: readonly IncidentRow[], by: string): Promise<void> {
  const fresh = rows.filter(({ acknowledgedAt: at }) => at === null)
  const [first] = fresh
  if (first === undefined) return
  await ctx.db.orm.transaction(async (tx) => {
    await markAcknowledged(
      tx,
      fresh.map(({ id }) => id),
      by,
      new Date(ctx.clock.now()),
    )
    await audit(tx, ctx, {
      action: 'update',
      entityType: first.domainId === null ? 'account' : 'zone',
      entityId: first.domainId ?? first.accountId,
      entityName: first.name,
      ownerId: first.ownerId,
      details: { incident: 'acknowledged', by, ...(fresh.length > 1 && { incidents: fresh.length }) },
    })
    await ctx.events.publish(tx, first.ownerId, 'monitoring')
  })
}

/**
 * Mutes the domains of incidents for this long; for an account, all its domains. What is for review is not about its domains.
 * @returns the number of domains
 */
export async function muteRows(ctx: Ctx, rows: readonly IncidentRow[], by: string, minutes: number): Promise<number> {
  const ofAccounts = rows.flatMap(({ domainId, accountId, cause }) =>
    domainId === null && accountId !== null && !isForReview(cause) ? [accountId] : [],
  )
  const ids = rows.flatMap(({ domainId }) => (domainId === null ? [] : [domainId]))
  for (const accountId of new Set(ofAccounts)) ids.push(...(await listWatchedOfAccount(ctx.db.orm, accountId)))
  if (ids.length === 0) return 0
  const { domains } = await muteDomains(ctx, { ids: [...new Set(ids)], minutes })
  const now = ctx.clock.now()
  await ctx.db.orm.transaction((tx) =>
    noteMuted(
      tx,
      rows.map(({ id }) => id),
      by,
      new Date(now),
      new Date(now + minutes * 60_000),
    ),
  )
  return domains
}

/** @throws AppError not_found, level_too_low */
export async function acknowledgeIncident(ctx: Ctx, { id }: { readonly id: string }): Promise<{ incident: IncidentMark }> {
  await acknowledgeRows(ctx, [await getIncident(ctx, id)], ctx.actor.name)
  return { incident: toMark(await getIncident(ctx, id), 0) }
}

/** @throws AppError not_found, level_too_low */
export async function muteIncident(
  ctx: Ctx,
  { id, minutes }: { readonly id: string; readonly minutes: number },
): Promise<{ incident: IncidentMark }> {
  const row = await getIncident(ctx, id)
  return { incident: toMark(row, await muteRows(ctx, [row], ctx.actor.name, minutes)) }
}

const targeted = async (ctx: Ctx, { ids, cause = '', ownerId }: IncidentsTarget): Promise<IncidentRow[]> =>
  getIncidents(ctx, ids ?? (await listOpenOfCause(ctx, { cause, ownerId })))

/** @throws AppError not_found when one does not exist or belongs to someone else, level_too_low; then none is acknowledged */
export async function acknowledgeIncidents(ctx: Ctx, target: IncidentsTarget): Promise<{ incidents: number }> {
  const rows = await targeted(ctx, target)
  for (const theirs of Map.groupBy(rows, (row) => row.ownerId).values()) await acknowledgeRows(ctx, theirs, ctx.actor.name)
  return { incidents: rows.length }
}

/** @throws AppError not_found when one does not exist or belongs to someone else, level_too_low; then none is muted */
export async function muteIncidents(
  ctx: Ctx,
  { minutes, ...target }: IncidentsTarget & { readonly minutes: number },
): Promise<{ incidents: number; domains: number }> {
  const rows = await targeted(ctx, target)
  return { incidents: rows.length, domains: await muteRows(ctx, rows, ctx.actor.name, minutes) }
}
