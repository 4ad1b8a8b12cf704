import { releaseHeld } from '#server/features/monitoring/index.ts'
import { domainToUnicode } from 'node:url'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { MaintenanceWindow, NewWindow } from '#shared/features/alerts/schema.ts'
import type { OfOwner } from '#shared/features/monitoring/settings.ts'
import { chooseOwner, requireOwnGroups, requireOwnZones } from './ownership.ts'
import { occurrencesOf } from './occurrences.policy.ts'
import { changeWindow, deleteWindow, insertWindow, listNamed, listWindowsAfter, lockWindow, readRepeat } from './windows.repo.ts'
import type { WindowRow } from './windows.repo.ts'

/** How long past windows are listed. */
const shownForMs = 7 * 86_400_000

const [namesShown, mostShown] = [100, 500]
/** Every repeating window occurs within this time. */
const aheadMs = 32 * 86_400_000

/** The current or next occurrence. */
function nextOf({ startsAt, endsAt, repeat }: WindowRow, now: number): MaintenanceWindow['next'] {
  const from = Math.max(now + 1, startsAt.getTime())
  const [next] = occurrencesOf({ startsAt, endsAt, repeat: readRepeat(repeat) }, from, from + aheadMs)
  return next === undefined ? null : { startsAt: next.startsAt.toISOString(), endsAt: next.endsAt.toISOString() }
}

async function toWindows(db: Queryable, rows: readonly WindowRow[], now: number): Promise<MaintenanceWindow[]> {
  const ofDomains = rows.flatMap(({ id, domainIds }) => (domainIds === null ? [] : [id]))
  const named = await listNamed(db, ofDomains, namesShown)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    groupId: row.groupId,
    zoneIds: row.domainIds,
    domains: named.get(row.id)?.map(({ id, name }) => ({ id, displayName: domainToUnicode(name) || name })) ?? [],
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    repeat: readRepeat(row.repeat),
    next: nextOf(row, now),
    createdAt: row.createdAt.toISOString(),
  }))
}

async function answerOf(ctx: Ctx, db: Queryable, row: WindowRow): Promise<{ window: MaintenanceWindow }> {
  const [window] = await toWindows(db, [row], ctx.clock.now())
  if (window === undefined) throw new Error('one row is one window')
  return { window }
}

const entityOf = ({ id, name, ownerId }: WindowRow) => ({ entityType: 'settings', entityId: id, entityName: name, ownerId }) as const
const termsOf = ({ startsAt, endsAt, repeat }: WindowRow) => ({
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
  ...(repeat === null ? {} : { repeat }),
})

/** Windows of one owner that are active, upcoming, or ended within a week. @throws AppError not_found for another user */
export async function listWindows(ctx: Ctx, input: OfOwner = {}): Promise<{ windows: MaintenanceWindow[] }> {
  const rows = await listWindowsAfter(ctx.db.orm, await chooseOwner(ctx, input.ownerId), new Date(ctx.clock.now() - shownForMs), mostShown)
  return { windows: await toWindows(ctx.db.orm, rows, ctx.clock.now()) }
}

const valuesOf = ({ zoneIds: domainIds, startsAt, endsAt, ...input }: NewWindow) => ({
  ...input,
  domainIds,
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
})

/** @throws AppError not_found for another owner's group or domain */
export async function createWindow(ctx: Ctx, { ownerId: selected, ...input }: NewWindow & OfOwner): Promise<{ window: MaintenanceWindow }> {
  const ownerId = await chooseOwner(ctx, selected)
  const values = valuesOf(input)
  return ctx.db.orm.transaction(async (tx) => {
    await requireRoom(tx, 'maintenanceWindows', ownerId)
    await requireScope(tx, ownerId, values)
    const row = await insertWindow(tx, { ...values, ownerId })
    await audit(tx, ctx, { action: 'create', ...entityOf(row), details: { maintenance: termsOf(row) } })
    await ctx.events.publish(tx, ownerId, 'monitoring')
    return answerOf(ctx, tx, row)
  })
}

/** Replaces all values; alerts no longer held back by it are sent soon. @throws AppError not_found */
export async function updateWindow(
  ctx: Ctx,
  { id, ...input }: NewWindow & { readonly id: string },
): Promise<{ window: MaintenanceWindow }> {
  return ctx.db.orm.transaction(async (tx) => {
    const before = await ownWindow(ctx, tx, id)
    const values = valuesOf(input)
    // Domains selected earlier and deleted since are not an error.
    const selectedBefore = new Set(before.domainIds)
    const domainIds = values.domainIds?.filter((domainId) => !selectedBefore.has(domainId)) ?? null
    await requireScope(tx, before.ownerId, { groupId: values.groupId, domainIds })
    const row = await changeWindow(tx, id, values)
    await audit(tx, ctx, {
      action: 'update',
      ...entityOf(row),
      details: {
        maintenance: { from: termsOf(before), to: termsOf(row) },
        ...(row.name !== before.name && { name: { from: before.name, to: row.name } }),
      },
    })
    await releaseHeld(tx, row.ownerId, ctx.clock.now())
    await ctx.events.publish(tx, row.ownerId, 'monitoring')
    return answerOf(ctx, tx, row)
  })
}

/** Alerts held back by it are sent soon. @throws AppError not_found */
export async function removeWindow(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    const row = await ownWindow(ctx, tx, id)
    await deleteWindow(tx, id)
    await audit(tx, ctx, { action: 'delete', ...entityOf(row), details: { maintenance: termsOf(row) } })
    await releaseHeld(tx, row.ownerId, ctx.clock.now())
    await ctx.events.publish(tx, row.ownerId, 'monitoring')
  })
}

async function ownWindow(ctx: Ctx, tx: Transaction, id: string): Promise<WindowRow> {
  const row = await lockWindow(tx, id)
  await requireLevel(ctx, row, 'own')
  return row
}

async function requireScope(
  tx: Transaction,
  ownerId: string,
  { groupId, domainIds }: Pick<WindowRow, 'groupId' | 'domainIds'>,
): Promise<void> {
  await requireOwnGroups(tx, ownerId, groupId === null ? null : [groupId])
  await requireOwnZones(tx, ownerId, domainIds)
}
