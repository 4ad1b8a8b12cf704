import { audit } from '#server/platform/audit.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { wakeMonitoring } from './checks/schedule.repo.ts'
import { releaseHeld } from './incidents/notified-incidents.repo.ts'
import { listTargets, setUntil, wantChecks } from './watching.repo.ts'

interface Affected {
  readonly domains: number
}

/** Deduplicated, in the notation PostgreSQL uses for ids. */
const distinct = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]

/** @throws AppError not_found when one does not exist or belongs to someone else, level_too_low */
async function requireAll(ctx: Ctx, ids: readonly string[]) {
  const targets = await listTargets(ctx.db.orm, ids)
  if (targets.reduce((sum, { zones }) => sum + zones, 0) !== ids.length) throw new AppError('not_found')
  for (const accessTarget of targets) await requireLevel(ctx, accessTarget, 'operate')
  return targets
}

const minuteMs = 60_000

async function setFor(
  ctx: Ctx,
  which: 'paused' | 'muted',
  { ids: given, minutes }: { readonly ids: readonly string[]; readonly minutes: number | 'forever' | null },
): Promise<Affected> {
  const ids = distinct(given)
  const targets = await requireAll(ctx, ids)
  const until = minutes === null ? null : minutes === 'forever' ? 'infinity' : new Date(ctx.clock.now() + minutes * minuteMs)
  const key = which === 'paused' ? 'checksPaused' : 'muted'
  const details = { [key]: until === null ? 'ended' : until === 'infinity' ? 'forever' : until.toISOString() }
  const byOwner = Map.groupBy(targets, ({ ownerId }) => ownerId)
  return ctx.db.orm.transaction(async (tx) => {
    const domains = await setUntil(tx, which === 'paused' ? 'paused_until' : 'muted_until', ids, until)
    if (domains === 0) return { domains }
    const entries = [...byOwner].map(([ownerId, mine]): AuditEntry => {
      const zones = mine.reduce((sum, each) => sum + each.zones, 0)
      const [first] = mine
      return zones === 1
        ? { action: 'update', entityType: 'zone', entityId: ids[0], entityName: first?.name, ownerId, details }
        : { action: 'update', entityType: 'settings', entityName: 'monitoring', ownerId, details: { ...details, domains: zones } }
    })
    await audit(tx, ctx, ...entries)
    for (const ownerId of which === 'muted' ? byOwner.keys() : []) await releaseHeld(tx, ownerId, ctx.clock.now())
    await wakeMonitoring(tx, 'settings')
    for (const ownerId of byOwner.keys()) await ctx.events.publish(tx, ownerId, 'monitoring')
    return { domains }
  })
}

/** Pauses checks for this long; `null` resumes them. @throws AppError not_found, level_too_low */
export const pauseDomains = (
  ctx: Ctx,
  input: { readonly ids: readonly string[]; readonly minutes: number | 'forever' | null },
): Promise<Affected> => setFor(ctx, 'paused', input)

/**
 * Suppresses alerts for this long while checks continue; `null` unmutes, and sends held-back alerts that still apply. @throws AppError not_found,
 * level_too_low
 */
export const muteDomains = (ctx: Ctx, input: { readonly ids: readonly string[]; readonly minutes: number | null }): Promise<Affected> =>
  setFor(ctx, 'muted', input)

/** Schedules checks before all others; paused domains stay paused. @throws AppError not_found, level_too_low */
export async function checkNow(ctx: Ctx, { ids: given }: { readonly ids: readonly string[] }): Promise<Affected> {
  const ids = distinct(given)
  await requireAll(ctx, ids)
  return ctx.db.orm.transaction(async (tx) => {
    const domains = await wantChecks(tx, ids, new Date(ctx.clock.now()))
    if (domains > 0) await wakeMonitoring(tx, 'wanted')
    return { domains }
  })
}
