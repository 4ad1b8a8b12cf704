import type { z } from 'zod'
import { openZone, planPurge, previewRecordChanges, withOwnPaths } from '#server/features/domains/index.ts'
import { previewRule } from '#server/features/domains/rulesets/index.ts'
import { shownRule } from '#server/features/profiles/index.ts'
import { listTrackerAddresses } from '#server/features/trackers/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { changePreview, previewChangeInput } from '#shared/features/operations/schema.ts'
import { warningsOf } from './kinds/records.ts'
import { operationKinds } from './kinds/index.ts'
import { listPlanZones } from './plan-reading.repo.ts'
import { accessFor } from './preview-operation.ts'

type Preview = z.infer<typeof changePreview>['preview']
type Change = z.output<typeof previewChangeInput>['change']

const nothing: Preview = { before: null, after: null, dangers: [], calls: 0, unchanged: false, refused: null, check: null, quota: null }

async function planRecords(ctx: Ctx, id: string, change: Extract<Change, { kind: 'record' | 'records' }>): Promise<Preview> {
  const { deletes, updates, creates } = change
  const { all, changed, calls } = await previewRecordChanges(ctx, id, {
    deletes: deletes.map((recordId) => ({ recordId })),
    updates,
    creates: creates.map((record) => ({ record: { ...record, content: record.content ?? '' } })),
  }).catch((error: unknown) => {
    throw change.kind === 'record' ? withOwnPaths(error) : error
  })
  const [zone] = await listPlanZones(ctx.db, [id])
  const ofTrackers = zone === undefined ? undefined : (await listTrackerAddresses(ctx, [zone.ownerId])).get(zone.ownerId)
  return {
    ...nothing,
    before: changed.flatMap(({ before }) => before ?? []),
    after: changed.flatMap(({ after }) => after ?? []),
    dangers: warningsOf(all, changed, ofTrackers),
    calls,
    unchanged: changed.length === 0,
  }
}

async function planRule(ctx: Ctx, id: string, { change }: Extract<Change, { kind: 'rule' }>): Promise<Preview> {
  const { before, after, ...preview } = await previewRule(ctx, id, change)
  const sideOf = (rule: typeof before) => ({ rules: rule === null ? [] : [shownRule(change.phase, rule.definition, rule.position)] })
  return { ...nothing, ...preview, before: sideOf(before), after: sideOf(after) }
}

/**
 * Plans one change of one domain as operations plan it; changes and stores nothing.
 * @throws AppError not_found, level_too_low, validation_failed, conflict
 */
export async function previewChange(ctx: Ctx, { id, change }: z.output<typeof previewChangeInput>): Promise<{ preview: Preview }> {
  if (change.kind === 'record' || change.kind === 'records') return { preview: await planRecords(ctx, id, change) }
  if (change.kind === 'rule') return { preview: await planRule(ctx, id, change) }
  if (change.kind === 'purge_files') {
    const { files } = change
    const { calls } = await planPurge(ctx, { id, files })
    return { preview: { ...nothing, after: { files }, calls } }
  }
  await openZone(ctx, id, accessFor(change.kind))
  const kind = operationKinds[change.kind]
  if (kind === undefined || !('plan' in kind)) throw new AppError('not_found')
  const [plan] = await kind.plan(ctx, await listPlanZones(ctx.db, [id]), change.input)
  if (plan === undefined) throw new AppError('not_found')
  if ('unchanged' in plan) return { preview: { ...nothing, unchanged: true } }
  if ('refused' in plan) {
    if (plan.refused === 'not_found' || plan.refused === 'level_too_low') throw new AppError(plan.refused)
    return { preview: { ...nothing, after: plan.after ?? null, refused: plan.refused } }
  }
  const { before, after, dangers, calls, called = [] } = plan
  return {
    preview: { ...nothing, before, after, dangers: [...dangers], calls: called.reduce((sum, other) => sum + other.calls, calls) },
  }
}
