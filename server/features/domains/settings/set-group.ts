import type { Transaction } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel, requireLevelOfSeen } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Domain } from '#shared/features/domains/schema.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { createStore } from '../access/store-together.ts'
import { getChangedDomain } from '../get-domain.ts'
import { recordZoneChanges } from './record-zone-change.ts'
import type { ZoneChangeOptions } from './record-zone-change.ts'
import { listGroupsById, updateGroups } from './zone-settings.repo.ts'

interface Move {
  readonly ctx: Ctx
  readonly zone: OpenZone
  readonly groupId: string | null
  readonly history: ZoneChangeOptions | undefined
}

/** @throws AppError not_found if a target group does not exist or belongs to another owner, in which case none is moved */
async function moveAll(tx: Transaction, moves: readonly Move[]): Promise<void> {
  const targets = await listGroupsById(
    tx,
    moves.flatMap(({ groupId }) => groupId ?? []),
    true,
  )
  if (moves.some(({ zone, groupId }) => groupId !== null && targets.get(groupId)?.ownerId !== zone.ownerId)) throw new AppError('not_found')
  const before = await updateGroups(
    tx,
    moves.map(({ zone, groupId }) => ({ id: zone.id, groupId })),
  )
  const names = await listGroupsById(
    tx,
    [...before.values()].flatMap((groupId) => groupId ?? []),
    false,
  )
  const shown = (groupId: string | null) => {
    const name = groupId === null ? undefined : (targets.get(groupId) ?? names.get(groupId))?.name
    return groupId === null ? null : { id: groupId, name: name ?? null }
  }
  await recordZoneChanges(
    tx,
    moves.map(({ ctx, zone, groupId, history }) => {
      const was = before.get(zone.id)
      if (was === undefined) throw new AppError('not_found')
      return {
        ctx,
        zone,
        key: 'group',
        before: shown(was),
        after: shown(groupId),
        ...(history === undefined ? {} : { options: history }),
      }
    }),
  )
}

const move = createStore<Move>({ atMost: 500 }, moveAll)

/**
 * Like `setGroup`, without returning the domain.
 * @throws AppError not_found, level_too_low
 */
export async function moveToGroup(
  ctx: Ctx,
  { id, groupId }: { readonly id: string; readonly groupId: string | null },
  history?: ZoneChangeOptions,
): Promise<void> {
  const zone = await openZone(ctx, id, 'manage')
  const { ownerId, accountId } = zone
  if (groupId !== null) await requireLevel(ctx, { ownerId, groupId }, 'manage')
  // Users with access through the old group lose it, so access through that group only is not enough.
  if (zone.groupId !== null && zone.groupId !== groupId) await requireLevelOfSeen(ctx, { ownerId, accountId }, 'manage')
  await serializeZoneChanges(zone.id, () => move(ctx.db, { ctx, zone, groupId, history }))
}

/**
 * Moves a domain into a group, or out of its group with null. A group may give others access, so the actor must manage both; taking a
 * domain out of its group requires managing its account or owning it.
 * @throws AppError not_found, also for a group of another owner; level_too_low
 */
export async function setGroup(
  ctx: Ctx,
  { id, groupId }: { readonly id: string; readonly groupId: string | null },
  history?: ZoneChangeOptions,
): Promise<{ zone: Domain }> {
  await moveToGroup(ctx, { id, groupId }, history)
  return getChangedDomain(ctx, id)
}
