import { z } from 'zod'
import { carryOut, planRevert, recordEarlierIpReverts } from '#server/features/domains/history/index.ts'
import { readIpRules } from '#server/features/domains/ip-access/index.ts'
import { readRulesets } from '#server/features/domains/rulesets/index.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import { serializeZoneChanges, openZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isErrorCode } from '#shared/errors/codes.ts'
import type { DomainOperationKind } from '../operation-kind.ts'
import { markUndone } from '../operations.repo.ts'
import { dnssecUndoWork, undoDnssec } from './dnssec.ts'
import { planHistoryUndo } from './plan-history-undo.ts'
import { isPlannedRuleChange } from './planned-rules.policy.ts'
import { listNeededRecords } from './redirect-records.ts'
import { redirectsUndoWork, undoRedirects } from './redirects.ts'
import { autoRenewWork, undoAutoRenew } from './registrar-names.ts'
import { serversWork, undoServers } from './registrars.ts'
import { undoZone, zoneWork } from './undo-zones.ts'

const input = z.object({ undoOf: z.uuid() })

const isUnread = ({ plan: { steps } }: Pick<Awaited<ReturnType<typeof planRevert>>, 'plan'>): boolean =>
  steps.some(({ reason }) => reason === 'not_read' || reason === 'record_missing')

/** Serialized with other changes of the zone: a reading older than a change would be discarded. */
async function readParts(ctx: Ctx, domainId: string, parts: readonly ('records' | 'settings')[]): Promise<void> {
  const zone = await openZone(ctx, domainId)
  if (zone.goneAt !== null) return
  await serializeZoneChanges(domainId, async () => {
    for (const part of parts) await refreshPart(ctx, zone, part, { priority: 'bulk' })
  })
}

async function readRules(ctx: Ctx, domainId: string): Promise<void> {
  const zone = await openZone(ctx, domainId)
  if (zone.goneAt !== null) return
  await serializeZoneChanges(domainId, () => readRulesets(ctx, zone, { priority: 'bulk' }))
}
async function readIpAccess(ctx: Ctx, domainId: string): Promise<void> {
  const zone = await openZone(ctx, domainId)
  if (zone.goneAt !== null) return
  await serializeZoneChanges(domainId, () => readIpRules(ctx, zone, { priority: 'bulk' }))
}
const hasIpAccess = (side: unknown): boolean =>
  (z.object({ ipAccess: z.array(z.unknown()) }).safeParse(side).data?.ipAccess ?? []).length > 0
const rulesOf = (side: unknown): readonly unknown[] => z.object({ rules: z.array(z.unknown()) }).safeParse(side).data?.rules ?? []

/** Undoes the changes of an operation from the history. */
export const undo: DomainOperationKind<z.infer<typeof input>> = {
  input,
  plan: (ctx, zones, { undoOf }) => planHistoryUndo(ctx, zones, undoOf),
  async run(ctx, item, { undoOf }, signal) {
    const { domainId, operationId, plan, attempt } = item
    const zoneItself = zoneWork.safeParse(plan.work)
    if (zoneItself.success) return undoZone(ctx, item, undoOf, zoneItself.data, signal)
    const servers = serversWork.safeParse(plan.work)
    if (servers.success) return undoServers(ctx, item, undoOf, servers.data, signal)
    const switched = dnssecUndoWork.safeParse(plan.work)
    if (switched.success) return undoDnssec(ctx, item, undoOf, switched.data, signal)
    const renewed = autoRenewWork.safeParse(plan.work)
    if (renewed.success) return undoAutoRenew(ctx, item, undoOf, renewed.data, signal)
    const redirected = redirectsUndoWork.safeParse(plan.work)
    if (redirected.success) return undoRedirects(ctx, item, undoOf, redirected.data, signal)
    if (domainId === null) throw new AppError('not_found')
    const ids = z.array(z.uuid()).parse(plan.work)
    const revert = { id: domainId, ids, force: false }
    // Reading again shows what an earlier attempt has already undone.
    if (attempt > 1) {
      await readParts(ctx, domainId, ['records'])
      if (rulesOf(plan.after).length > 0) await readRules(ctx, domainId)
      if (hasIpAccess(plan.before) || hasIpAccess(plan.after)) {
        const earlier = await planRevert(ctx, revert)
        const options = { priority: 'bulk', batchId: operationId, since: item.startedAt } as const
        if (earlier.zone.goneAt === null) await recordEarlierIpReverts(ctx, earlier, options)
      }
    }
    let reverting = await planRevert(ctx, revert)
    if (isUnread(reverting)) {
      await readParts(ctx, domainId, ['records', 'settings'])
      if (hasIpAccess(plan.before) || hasIpAccess(plan.after)) await readIpAccess(ctx, domainId)
      reverting = await planRevert(ctx, revert)
    }
    const needed = await listNeededRecords(ctx, item, reverting)
    if (needed.size > 0) {
      const others = ids.filter((id) => !needed.has(id))
      if (others.length === 0) return { state: 'skipped', code: 'record_in_use' }
      reverting = await planRevert(ctx, { ...revert, ids: others })
    }
    const { zone, plan: now, slots } = reverting
    const [failure] = (await carryOut(ctx, zone, slots, { priority: 'bulk', batchId: operationId })).values()
    if (failure !== undefined) {
      const words = failure.message === null ? {} : { provider: { message: failure.message } }
      throw new AppError(isErrorCode(failure.code) ? failure.code : 'provider_rejected', words)
    }
    // Later changes are kept.
    if (now.steps.some(({ state }) => state === 'changed_since')) return { state: 'skipped', code: 'changed_since' }
    if (now.steps.some(({ reason }) => reason === 'record_missing')) return { state: 'skipped', code: 'records_missing' }
    if (isUnread(reverting)) return { state: 'skipped', code: 'not_read_yet' }
    if (now.steps.every(({ state }) => state === 'impossible')) return { state: 'skipped', code: 'not_restorable' }
    await markUndone(ctx.db, undoOf, domainId)
    return { state: 'done', ...(needed.size > 0 && { code: 'record_in_use' }) }
  },
  findOwnRuleChanges: (_ctx, { plan }, changes) => Promise.resolve(changes.filter((change) => isPlannedRuleChange(plan, change))),
}
