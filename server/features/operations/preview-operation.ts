import type { z } from 'zod'
import { selectBehind } from '#server/features/addresses/index.ts'
import { selectMatching } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, levelOf, noGrants } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'
import type { OperationKindName } from '#shared/features/operations/registry.ts'
import type {
  excludeFromDraftInput,
  excludeFromDraftOutput,
  OperationPreview,
  OperationTarget,
  previewOperationInput,
  previewUndoInput,
} from '#shared/features/operations/schema.ts'
import { findKind } from '#shared/features/operations/registry.ts'
import { boundDrafts } from './bound-drafts.ts'
import { getOperationRow } from './control-operation.ts'
import { estimate, partsOf } from './estimate.policy.ts'
import { operationKinds } from './kinds/index.ts'
import { planLost } from './kinds/undo-zones.ts'
import type { DraftedZone } from './operation-kind.ts'
import { plannedItem } from './planned.ts'
import type { PlannedItem, PlanZone } from './planned.ts'
import { toOperation } from './operation-view.ts'
import {
  completeDraft,
  deleteDraft,
  excludeItems,
  insertItems,
  insertOperation,
  listDoneItems,
  listPendingPlans,
  updateOperationState,
} from './operations.repo.ts'
import { createPlanSize } from './plan-size.policy.ts'
import { listPlanZones } from './plan-reading.repo.ts'

/**
 * Plans the changes and stores them as a draft; sends nothing. Once started, exactly this plan runs.
 * @throws AppError not_found if the actor may change none of the domains, no_domains if none was selected, nothing_to_do if all are
 * unchanged, operation_too_large, too_many_attempts
 */
export async function previewOperation(ctx: Ctx, { request, target }: z.output<typeof previewOperationInput>): Promise<OperationPreview> {
  await boundDrafts(ctx)
  const ids = await idsOf(ctx, target)
  if (ids.length === 0) throw new AppError('no_domains')
  return keepDraft(ctx, request, planAll(ctx, request, ids, accessFor(request.kind)), null)
}

/** The level that the actor needs for each domain. */
export function accessFor(kind: string): ShareLevel {
  const access = findKind(kind)?.access ?? 'manage'
  return access === 'own' ? 'manage' : access
}

export async function idsOf(ctx: Ctx, target: OperationTarget): Promise<readonly string[]> {
  if ('ids' in target) return target.ids
  return 'address' in target ? selectBehind(ctx, target) : (await selectMatching(ctx, target.filter)).ids
}

/**
 * Plans the undo of an operation, or of some of its items, as a draft. Items that cannot be undone are listed with the reason.
 * @throws AppError not_found, nothing_to_undo, too_many_attempts; operation_moved_on while the effect of a cancelled operation is still
 * being determined
 */
export async function previewUndo(ctx: Ctx, { id, positions }: z.output<typeof previewUndoInput>): Promise<OperationPreview> {
  await boundDrafts(ctx)
  const { kind, input, state, finishedAt } = await getOperationRow(ctx, id)
  // Its effect is still being determined.
  if (state === 'cancelled' && finishedAt === null) throw new AppError('operation_moved_on', { params: { state } })
  const request = { kind: 'undo', input: { undoOf: id } } as const
  const done = findKind(kind)?.undo !== 'whole' ? [] : await listDoneItems(ctx.db.orm, id, positions ?? null)
  if (done.length === 0) throw new AppError('nothing_to_undo')
  const drafted = await operationKinds[kind]?.planUndo?.(ctx, { id, input }, done)
  if (drafted !== undefined) {
    const changing = drafted.filter(({ plan }) => !('unchanged' in plan))
    return keepDraft(ctx, request, [{ planned: changing, unchanged: drafted.length - changing.length }], id)
  }
  const ids = done.flatMap(({ domainId }) => domainId ?? [])
  const lost = (there: ReadonlySet<string>) => planLost(done, ({ domainId }) => domainId !== null && there.has(domainId), 'not_found')
  return keepDraft(ctx, request, planAll(ctx, request, ids, accessFor(kind), lost), id)
}

interface Request {
  readonly kind: OperationKindName
  readonly input: unknown
}

/** Part of a draft. */
interface DraftBatch {
  readonly planned: readonly DraftedZone[]
  readonly unchanged: number
}

/** @param lost plans what is left, given the domains that exist in the panel and that the actor can see */
async function* planAll(
  ctx: Ctx,
  request: Request,
  ids: readonly string[],
  needed: ShareLevel,
  lost: (there: ReadonlySet<string>) => readonly DraftedZone[] = () => [],
): AsyncGenerator<DraftBatch, void> {
  const kind = operationKinds[request.kind]
  if (kind === undefined || !('plan' in kind)) throw new AppError('not_found')
  const { actor } = ctx
  const grants = actor.role === 'admin' ? noGrants : await grantsOf(ctx)
  const there = new Set<string>()
  /** Not stored until the actor may change one of the domains. */
  let withheld: DraftedZone[] = []
  let allowed = 0
  const size = createPlanSize()
  for (let start = 0, count = size.next(); start < ids.length; start += count, count = size.next()) {
    const zones: PlanZone[] = []
    const planned: DraftedZone[] = []
    let unchanged = 0
    for (const zone of await listPlanZones(ctx.db, ids.slice(start, start + count))) {
      const level = levelOf(actor, grants, zone)
      if (level === null) continue
      there.add(zone.id)
      if (isAtLeast(level, needed)) zones.push(zone)
      else planned.push({ zone, plan: { refused: 'level_too_low' } })
    }
    allowed += zones.length
    const plans = await kind.plan(ctx, zones, request.input)
    size.add(
      count,
      plans.filter((plan) => !('unchanged' in plan)),
    )
    for (const [index, zone] of zones.entries()) {
      const plan = plans[index]
      if (plan === undefined || 'unchanged' in plan) unchanged += 1
      else planned.push({ zone, plan })
    }
    withheld.push(...planned)
    if (allowed === 0) continue
    yield { planned: withheld, unchanged }
    withheld = []
  }
  if (allowed === 0 && there.size > 0) throw new AppError('level_too_low')
  yield { planned: lost(there), unchanged: 0 }
}

function countWarnings(plans: readonly Pick<PlannedItem, 'dangers'>[], dangers: Record<string, number> = {}): Record<string, number> {
  for (const plan of plans) for (const danger of plan.dangers) dangers[danger] = (dangers[danger] ?? 0) + 1
  return dangers
}

/**
 * Excludes domains from a draft by their warnings.
 * @throws AppError not_found, operation_moved_on if it is no longer a draft or its domains depend on each other
 */
export async function excludeFromDraft(
  ctx: Ctx,
  { id, dangers }: z.output<typeof excludeFromDraftInput>,
): Promise<z.output<typeof excludeFromDraftOutput>> {
  const { kind, state } = await getOperationRow(ctx, id)
  if (findKind(kind)?.indivisible === true) throw new AppError('operation_moved_on', { params: { state } })
  const counted = await ctx.db.orm.transaction(async (tx) => {
    if (!(await updateOperationState(tx, id, ['draft'], { state: 'draft' })))
      throw new AppError('operation_moved_on', { params: { state } })
    await excludeItems(tx, id, dangers)
    const rows = (await listPendingPlans(tx, id)).map(({ plan, ...place }) => ({ ...place, plan: plannedItem.parse(plan) }))
    const estimated = estimate(
      rows.flatMap(({ plan, ...place }) => partsOf(place, plan)),
      ctx.callBudget,
    )
    await updateOperationState(tx, id, ['draft'], { calls: estimated.calls })
    return { ...estimated, dangers: countWarnings(rows.map(({ plan }) => plan)) }
  })
  return { operation: toOperation(await getOperationRow(ctx, id)), ...counted }
}

/** What a draft stores of a plan; a refused one is listed with the reason. */
function toItem({
  zone,
  plan,
}: DraftedZone): { readonly zone: DraftedZone['zone']; readonly plan: PlannedItem; readonly refused: string | null }[] {
  if ('unchanged' in plan) return []
  if ('refused' in plan) return [{ zone, plan: { before: null, after: plan.after ?? null, dangers: [], calls: 0 }, refused: plan.refused }]
  return [{ zone, plan, refused: null }]
}

/**
 * Stores plans as a draft with its totals. A batch is stored while the next is planned, each in its own transaction,
 * and nobody knows the id of an incomplete draft, which is deleted if its planning fails.
 * @throws AppError not_found if it is empty, nothing_to_do if everything is unchanged, operation_moved_on if it was deleted meanwhile to
 * make room for later drafts
 */
export async function keepDraft(
  ctx: Ctx,
  request: Request,
  batches: AsyncIterable<DraftBatch> | Iterable<DraftBatch>,
  undoOf: string | null,
): Promise<OperationPreview> {
  const { orm } = ctx.db
  const parts: ReturnType<typeof partsOf> = []
  const dangers: Record<string, number> = {}
  let [unchanged, total, pending] = [0, 0, 0]
  let id: string | null = null

  const store = async (items: ReturnType<typeof toItem>, start: number) => {
    // The owner is the user who starts it, no matter who owns the domains; the activity log has an entry for each owner.
    const { userId, name } = ctx.actor
    id ??= (await insertOperation(orm, { ...request, ownerId: userId, actorId: userId, actorName: name, undoOf, total: 0 }, [])).id
    const rows = items.map(({ zone, plan, refused }) => ({
      domainId: zone.id,
      accountId: (plan.at ?? zone).accountId,
      accountEmail: (plan.at ?? zone).accountEmail,
      lane: (plan.at ?? zone).lane,
      name: zone.name,
      plan,
      ...(refused === null ? {} : { state: 'skipped' as const, code: refused }),
    }))
    const operationId = id
    if (!(await orm.transaction((tx) => insertItems(tx, operationId, start, rows)))) throw moved()
  }
  let storing = Promise.resolve()
  try {
    for await (const batch of batches) {
      const items = batch.planned.flatMap(toItem)
      const running = items.filter(({ refused }) => refused === null)
      for (const { zone, plan } of running) parts.push(...partsOf(plan.at ?? zone, plan))
      countWarnings(
        running.map(({ plan }) => plan),
        dangers,
      )
      await storing
      if (items.length > 0) storing = store(items, total)
      // Its error is thrown where it is awaited.
      storing.catch(() => undefined)
      unchanged += batch.unchanged
      pending += running.length
      total += items.length
    }
    await storing
    if (total === 0 && unchanged === 0) throw new AppError('not_found')
    if (total === 0 || id === null) throw new AppError('nothing_to_do', { params: { unchanged } })
    const counted = estimate(parts, ctx.callBudget)
    const counts = { pending, ...(pending === total ? {} : { skipped: total - pending }) }
    const row = await completeDraft(orm, id, { total, calls: counted.calls, counts })
    if (row === null) throw moved()
    return { operation: toOperation(row), unchanged, dangers, ...counted }
  } catch (error) {
    await storing.catch(() => undefined)
    // Otherwise it is deleted after an hour, as every draft.
    if (id !== null) await deleteDraft(orm, id).catch(() => undefined)
    throw error
  }
}

const moved = () => new AppError('operation_moved_on', { params: { state: 'draft' } })
