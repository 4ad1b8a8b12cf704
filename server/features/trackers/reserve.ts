import { domainToUnicode } from 'node:url'
import type { z } from 'zod'
import { audit } from '#server/platform/audit.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { addReserveInput, removeReserveInput, ReserveDomain } from '#shared/features/trackers/schema.ts'
import { problemsOf } from './reserve.policy.ts'
import { countReserve, deleteReserve, findGroupOwner, listPromised, listReserve, lockReservable, upsertReserve } from './reserve.repo.ts'
import type { ReserveRow } from './reserve.repo.ts'

/** The list is shown without paging. */
const mostReserve = 1_000

const toReserve = (row: ReserveRow, now: number): ReserveDomain => ({
  zoneId: row.domainId,
  ownerId: row.ownerId,
  name: row.name,
  displayName: domainToUnicode(row.name) || row.name,
  account: row.account,
  status: row.status,
  health: row.health,
  paidUntil: row.paidUntil === null ? null : new Date(row.paidUntil).toISOString(),
  group: row.groupId === null || row.groupName === null ? null : { id: row.groupId, name: row.groupName },
  note: row.note,
  problems: problemsOf(row, now),
  addedAt: new Date(row.addedAt).toISOString(),
})

/** The oldest first, each with the reasons why it cannot be used; the actor's own, for an administrator those of all owners or of one. */
export async function listReserveDomains(
  ctx: Ctx,
  { ownerId }: { readonly ownerId?: string | undefined },
): Promise<{ domains: ReserveDomain[] }> {
  const owner = ctx.actor.role === 'admin' ? (ownerId ?? null) : ctx.actor.userId
  const rows = await listReserve(ctx.db.orm, { ownerId: owner, domainIds: null })
  return { domains: rows.map((row) => toReserve(row, ctx.clock.now())) }
}

const entryOf = (zone: { readonly id: string; readonly name: string; readonly ownerId: string }, details: object): AuditEntry => ({
  action: 'update',
  entityType: 'zone',
  entityId: zone.id,
  entityName: zone.name,
  ownerId: zone.ownerId,
  details: { ...details },
})

/**
 * Adds domains to the reserve, all or none; they need not be ready yet. An existing entry gets the new group and note.
 * @throws AppError not_found for another user's domain or group, validation_failed above 1,000 entries
 */
export async function addReserve(
  ctx: Ctx,
  { zoneIds: domainIds, groupId = null, note = null }: z.output<typeof addReserveInput>,
): Promise<void> {
  const wanted = [...new Set(domainIds)]
  await ctx.db.orm.transaction(async (tx) => {
    const zones = await lockReservable(tx, wanted)
    if (zones.length !== wanted.length) throw new AppError('not_found')
    for (const zone of zones) await requireLevel(ctx, zone, 'own')
    const groupOwner = groupId === null ? null : await findGroupOwner(tx, groupId)
    if (groupId !== null && zones.some(({ ownerId }) => ownerId !== groupOwner)) throw new AppError('not_found')
    await upsertReserve(tx, zones, { groupId, note: note === '' ? null : note, at: new Date(ctx.clock.now()) })
    const owners = [...new Set(zones.map(({ ownerId }) => ownerId))]
    if ((await countReserve(tx, owners)).some(({ count }) => count > mostReserve)) {
      throw new AppError('validation_failed', { issues: [{ path: 'zoneIds', message: 'too_many', params: { max: mostReserve } }] })
    }
    await audit(tx, ctx, ...zones.map((zone) => entryOf(zone, { reserve: zone.reserved ? 'changed' : 'added', groupId })))
    for (const ownerId of owners) await ctx.events.publish(tx, ownerId, 'trackers')
  })
}

/** Removes domains from the reserve; those not in it are ignored. @throws AppError not_found for another user's domain */
export async function removeReserve(ctx: Ctx, { zoneIds: domainIds }: z.output<typeof removeReserveInput>): Promise<void> {
  const wanted = [...new Set(domainIds)]
  await ctx.db.orm.transaction(async (tx) => {
    const zones = await lockReservable(tx, wanted)
    if (zones.length !== wanted.length) throw new AppError('not_found')
    for (const zone of zones) await requireLevel(ctx, zone, 'own')
    const reserved = zones.filter((zone) => zone.reserved)
    await deleteReserve(tx, wanted)
    await audit(tx, ctx, ...reserved.map((zone) => entryOf(zone, { reserve: 'removed' })))
    for (const ownerId of new Set(reserved.map((zone) => zone.ownerId))) await ctx.events.publish(tx, ownerId, 'trackers')
  })
}

interface ReservePick {
  readonly domainId: string
  /** Punycode. */
  readonly name: string
  readonly groupId: string | null
}

/**
 * Up to `count` of the owner's domains that are ready to replace one in this group (null: no group): those reserved for the group before those for
 * any, the oldest first; none selected by an unfinished operation or listed in `except`.
 */
export async function pickReserve(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  wanted: { readonly ownerId: string; readonly groupId: string | null; readonly count: number; readonly except?: ReadonlySet<string> },
): Promise<ReservePick[]> {
  const [rows, promised] = await Promise.all([
    listReserve(ctx.db.orm, { ownerId: wanted.ownerId, domainIds: null }),
    listPromised(ctx.db.orm, wanted.ownerId),
  ])
  const now = ctx.clock.now()
  const ready = rows.filter((row) => {
    const fits = row.groupId === null || row.groupId === wanted.groupId
    return fits && !promised.has(row.domainId) && wanted.except?.has(row.domainId) !== true && problemsOf(row, now).length === 0
  })
  const ofGroup = ready.filter((row) => row.groupId !== null)
  const ofAny = ready.filter((row) => row.groupId === null)
  return [...ofGroup, ...ofAny].slice(0, wanted.count).map(({ domainId, name, groupId }) => ({ domainId, name, groupId }))
}
