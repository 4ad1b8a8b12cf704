import { moveToGroup, openZone, purgeCache, refreshZone, removeZone } from '#server/features/domains/index.ts'
import { findLevel, grantsOf, levelOf, noGrants } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import { groupRequest, nothingRequest } from '#shared/features/operations/requests.ts'
import type { DomainOperationKind, RunItem } from '../operation-kind.ts'
import { listGroupsOf, listRecordCounts } from '../plan-reading.repo.ts'
import { findKept, keepZone, planRestore } from './undo-zones.ts'

function zoneOf({ domainId }: RunItem): string {
  if (domainId === null) throw new AppError('not_found')
  return domainId
}

export const group: DomainOperationKind<{ groupId: string | null }> = {
  input: groupRequest,
  async plan(ctx, zones, { groupId }) {
    const now = await listGroupsOf(
      ctx.db,
      zones.map(({ id }) => id),
      groupId,
    )
    const level = now.target === null ? null : await findLevel(ctx, { ownerId: now.target.ownerId, groupId })
    const grants = ctx.actor.role === 'admin' ? noGrants : await grantsOf(ctx)
    return zones.map((zone) => {
      if (groupId !== null && (level === null || now.target?.ownerId !== zone.ownerId)) return { refused: 'not_found' }
      if (level !== null && !isAtLeast(level, 'manage')) return { refused: 'level_too_low' }
      const before = now.groups.get(zone.id) ?? null
      if (before?.id === groupId || (before === null && groupId === null)) return { unchanged: true }
      const { ownerId, accountId } = zone
      const over = levelOf(ctx.actor, grants, { ownerId, accountId })
      if (before !== null && (over === null || !isAtLeast(over, 'manage'))) return { refused: 'level_too_low' }
      return { before: before?.name ?? null, after: now.target?.name ?? null, dangers: [], calls: 0 }
    })
  },
  async run(ctx, item, { groupId }) {
    await moveToGroup(ctx, { id: zoneOf(item), groupId }, { source: 'operation', batchId: item.operationId })
    return { state: 'done' }
  },
}

export const purge: DomainOperationKind<object> = {
  input: nothingRequest,
  plan: (_ctx, zones) =>
    Promise.resolve(
      zones.map(({ status }) =>
        status === 'active' ? { before: null, after: null, dangers: [], calls: 1 } : { refused: 'cache_unavailable' },
      ),
    ),
  async run(ctx, item) {
    await purgeCache(ctx, { id: zoneOf(item), purgeEverything: true })
    return { state: 'done' }
  },
}

export const refresh: DomainOperationKind<object> = {
  input: nothingRequest,
  plan: (_ctx, zones) => Promise.resolve(zones.map(() => ({ before: null, after: null, dangers: [], calls: 9 }))),
  async run(ctx, item) {
    const { problems } = await refreshZone(ctx, zoneOf(item), 'bulk')
    const worst = problems.find(({ part }) => part === 'zone')
    if (worst?.code === 'disappearance_undecided' || worst?.code === 'disappearance_kept') return { state: 'skipped', code: worst.code }
    if (worst !== undefined) {
      const words = worst.message === null ? {} : { provider: { message: worst.message } }
      throw new AppError(isProviderCode(worst.code) ? worst.code : 'provider_rejected', words)
    }
    return { state: 'done' }
  },
}
const providerCodes = [
  'provider_auth',
  'provider_forbidden',
  'provider_not_found',
  'provider_rejected',
  'provider_rate_limited',
  'provider_unavailable',
  'provider_timeout',
  'provider_unreadable',
] as const
const isProviderCode = (code: string): code is (typeof providerCodes)[number] => (providerCodes as readonly string[]).includes(code)

export const remove: DomainOperationKind<object> = {
  input: nothingRequest,
  planUndo: planRestore,
  async plan(ctx, zones) {
    const counts = await listRecordCounts(
      ctx.db,
      zones.map(({ id }) => id),
    )
    return zones.map(({ id, recordsRead }) => ({
      before: { records: counts.get(id) ?? null },
      after: null,
      dangers: ['zone_goes'],
      calls: recordsRead ? 1 : 2,
    }))
  },
  async run(ctx, item) {
    const id = zoneOf(item)
    try {
      const kept = await keepZone(ctx, await openZone(ctx, id, 'manage'), item)
      await removeZone(ctx, { id }, 'bulk')
      return { state: 'done', result: kept }
    } catch (error) {
      // An earlier attempt took effect.
      if (item.attempt > 1 && error instanceof AppError && error.code === 'not_found')
        return { state: 'done', result: await findKept(ctx, item) }
      throw error
    }
  },
}
