import { createHash } from 'node:crypto'
import { refreshPart } from '#server/features/sync/index.ts'
import { openZone } from '../../access/open-zone.ts'
import type { OpenZone } from '../../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mostPlanned } from '#shared/features/domains/records/schema.ts'
import type { ImportPlan } from '#shared/features/domains/records/schema.ts'
import { mostZoneFileLines } from '#shared/features/domains/records/parse-zone-file.ts'
import { zoneFileLimitsOf } from '#shared/features/domains/records/plan-zone-file.ts'
import type { ZoneFilePlan } from '#shared/features/domains/records/plan-zone-file.ts'
import { batchSize } from '../plan-changes.ts'
import { listMirror } from '../records.repo.ts'
import { planInWorker } from './plan-in-worker.ts'

export interface ImportOrder {
  readonly id: string
  readonly text: string
  readonly mode: 'add' | 'replace'
  readonly proxied: boolean
}

/** A change of the plan: its list and its index there. */
export interface ImportStep {
  readonly list: 'added' | 'changed' | 'deleted'
  readonly index: number
}

/** A reading younger than this is not repeated. */
const recentMs = 60_000

async function recentRecords(ctx: Ctx, zone: OpenZone) {
  const { readAt, records } = await listMirror(ctx.db.orm, zone.id)
  if (readAt !== null && ctx.clock.now() - readAt.getTime() < recentMs) return records
  await refreshPart(ctx, zone, 'records', { priority: 'person' })
  return (await listMirror(ctx.db.orm, zone.id)).records
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** All changes of one name belong together, so that no call deletes a record whose replacement fails in another. */
function groupSteps(plan: ZoneFilePlan, size: number): ImportStep[][] {
  const byName = new Map<string, ImportStep[]>()
  const put = (name: string, step: ImportStep) => {
    const steps = byName.get(name)
    if (steps === undefined) byName.set(name, [step])
    else steps.push(step)
  }
  for (const [index, { name }] of plan.deleted.entries()) put(name, { list: 'deleted', index })
  for (const [index, { before }] of plan.changed.entries()) put(before.name, { list: 'changed', index })
  for (const [index, { name }] of plan.added.entries()) put(name, { list: 'added', index })
  const groups: ImportStep[][] = []
  for (const steps of byName.values()) {
    const last = groups.at(-1)
    if (last === undefined || last.length + steps.length > size) groups.push(steps)
    else last.push(...steps)
  }
  return groups
}

/** The plan of an import with the calls that it takes. */
export async function planImport(
  ctx: Ctx,
  order: ImportOrder,
): Promise<{ zone: OpenZone; plan: ZoneFilePlan & Pick<ImportPlan, 'token' | 'calls'>; groups: ImportStep[][] }> {
  const { id, text, mode, proxied } = order
  if (countLines(text) > mostZoneFileLines) {
    const issue = { path: 'text', message: 'too_many_lines', params: { max: mostZoneFileLines } }
    throw new AppError('validation_failed', { issues: [issue] })
  }
  const zone = await openZone(ctx, id)
  const current = await recentRecords(ctx, zone)
  const found = await planInWorker(ctx.actor.userId, {
    text,
    mode,
    proxied,
    zoneName: zone.name,
    current,
    limits: zoneFileLimitsOf(zone.plan),
  })
  const size = batchSize(zone.plan)
  const groups = groupSteps(found, size)
  const token = createHash('sha256')
    .update(JSON.stringify([id, mode, proxied, found]))
    .digest('base64url')
  const calls = groups.reduce((sum, group) => sum + Math.ceil(group.length / size), 0)
  return { zone, groups, plan: { ...found, token, calls } }
}

/** The preview is useful without the quota, so failing to read it is not an error. */
async function findExcess(zone: OpenZone, more: number): Promise<ImportPlan['full']> {
  if (more <= 0) return null
  try {
    const { quota, used } = await zone.connection.recordUsage(zone.providerZoneId, { priority: 'person' })
    return quota === null || used + more <= quota ? null : { quota, excess: used + more - quota }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/**
 * The answer lists the first of each kind with the total counts; the token covers all of them.
 * @throws AppError not_found, validation_failed for too many lines, provider_*
 */
export async function previewImport(ctx: Ctx, order: ImportOrder): Promise<ImportPlan> {
  const { zone, plan } = await planImport(ctx, order)
  const { added, changed, deleted } = plan
  return {
    ...plan,
    addedCount: added.length,
    changedCount: changed.length,
    deletedCount: deleted.length,
    added: added.slice(0, mostPlanned),
    changed: changed.slice(0, mostPlanned),
    deleted: deleted.slice(0, mostPlanned),
    full: await findExcess(zone, added.length - deleted.length),
  }
}
