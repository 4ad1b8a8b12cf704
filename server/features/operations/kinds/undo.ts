import { z } from 'zod'
import { carryOut, listBatch, planRevert } from '#server/features/domains/history/index.ts'
import { shownRule } from '#server/features/profiles/index.ts'
import { readIpRules } from '#server/features/domains/ip-access/index.ts'
import { readRulesets } from '#server/features/domains/rulesets/index.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import { planBound } from '#server/features/trackers/index.ts'
import { listDomainSettings, serializeZoneChanges, openZone, patchOf } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { securityStateOf, unknownState, warningsOf } from '#shared/features/domains/settings/rules.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ZoneChange } from '#shared/features/domains/history/schema.ts'
import { loggedIpRule } from '#shared/features/domains/ip-access/schema.ts'
import { loggedRule } from '#shared/features/domains/rulesets/schema.ts'
import type { ShownRule } from '#shared/features/profiles/schema.ts'
import { isErrorCode } from '#shared/errors/codes.ts'
import type { DomainOperationKind } from '../operation-kind.ts'
import { markUndone } from '../operations.repo.ts'
import { dnssecUndoWork, undoDnssec } from './dnssec.ts'
import { redirectsUndoWork, undoRedirects } from './redirects.ts'
import { autoRenewWork, undoAutoRenew } from './registrar-names.ts'
import { serversWork, undoServers } from './registrars.ts'
import { undoZone, zoneWork } from './undo-zones.ts'

const input = z.object({ undoOf: z.uuid() })
const value = z.object({ value: z.unknown() })
const named = z.object({ value: z.object({ name: z.string() }).nullable() })

function toShownRule(side: unknown): ShownRule | null {
  const rule = loggedRule.safeParse(side).data
  return rule === undefined ? null : shownRule(rule.phase, rule.definition, rule.position)
}

/** One side of these history entries in the form of a profile's plan; for repeated changes of the same key the first entry counts. */
function sideOf(entries: readonly ZoneChange[], side: 'before' | 'after') {
  const firsts = [...new Map(entries.toReversed().map((entry) => [`${entry.subject} ${entry.key}`, entry])).values()].toReversed()
  const own = (key: string) => {
    const entry = firsts.find((each) => each.subject === 'zone' && each.key === key)
    return entry === undefined ? {} : { [key]: named.safeParse(entry[side]).data?.value?.name ?? null }
  }
  return {
    ...own('group'),
    ...own('profile'),
    ...own('registrar'),
    ...own('tracker'),
    settings: Object.assign(
      {},
      ...firsts
        .filter(({ subject }) => subject === 'setting')
        .map((entry) => patchOf(entry.key, value.safeParse(entry[side]).data?.value) ?? { [entry.key]: null }),
    ) as Readonly<Record<string, unknown>>,
    records: firsts.filter(({ subject }) => subject === 'record').flatMap((entry) => entry[side] ?? []),
    rules: firsts.filter(({ subject }) => subject === 'rule').map((entry) => toShownRule(entry[side])),
    ipAccess: firsts.filter(({ subject }) => subject === 'ip_rule').flatMap((entry) => loggedIpRule.safeParse(entry[side]).data ?? []),
  }
}

const phaseOfEntry = (subject: ZoneChange['subject'], key: string, side: unknown): string | null =>
  subject === 'rule_order' ? key : subject === 'rule' ? (loggedRule.safeParse(side).data?.phase ?? null) : null

const isUnread = ({ plan: { steps } }: Pick<Awaited<ReturnType<typeof planRevert>>, 'plan'>): boolean =>
  steps.some(({ reason }) => reason === 'not_read')

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
  async plan(ctx, zones, { undoOf }) {
    const entries = await listBatch(
      ctx.db.orm,
      undoOf,
      zones.map(({ id }) => id),
    )
    const bound = await planBound(ctx, zones, false)
    const settingsNow = await listDomainSettings(
      ctx,
      zones.map(({ id }) => id),
    )
    return zones.map(({ id, trackerBound }, index) => {
      const theirs = entries.get(id)?.filter(({ revertedById }) => revertedById === null) ?? []
      if (theirs.length === 0) return { refused: 'nothing_to_take_back' }
      const count = (wanted: ZoneChange['subject']) => theirs.filter(({ subject }) => subject === wanted).length
      const phases = new Set(theirs.flatMap(({ subject, key, before: was, after: is }) => phaseOfEntry(subject, key, is ?? was) ?? []))
      const before = sideOf(theirs, 'after')
      const binding = bound[index]
      // A binding is undone by unbinding in the tracker.
      const unbinds = 'tracker' in before && before.tracker !== null && binding !== undefined && !('refused' in binding) && !binding.gone
      const after = sideOf(theirs.toReversed(), 'before')
      const now = settingsNow.get(id)
      const state = now === undefined ? unknownState : securityStateOf(now, trackerBound)
      return {
        before,
        after,
        dangers: [...(unbinds ? binding.dangers : []), ...warningsOf(state, after.settings).map(({ code }) => code)],
        calls:
          count('setting') +
          // Each phase is read before its rules are changed.
          count('rule') +
          count('rule_order') +
          phases.size +
          (count('record') > 0 ? 1 : 0) +
          (count('ip_rule') > 0 ? count('ip_rule') + 1 : 0) +
          (theirs.some(({ key }) => key === 'tracker') ? 1 : 0),
        work: theirs.map((entry) => entry.id),
      }
    })
  },
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
      if (hasIpAccess(plan.before) || hasIpAccess(plan.after)) await readIpAccess(ctx, domainId)
    }
    let reverting = await planRevert(ctx, revert)
    if (isUnread(reverting)) {
      await readParts(ctx, domainId, ['records', 'settings'])
      if (hasIpAccess(plan.before) || hasIpAccess(plan.after)) await readIpAccess(ctx, domainId)
      reverting = await planRevert(ctx, revert)
    }
    const { zone, plan: now, slots } = reverting
    const [failure] = (await carryOut(ctx, zone, slots, { priority: 'bulk', batchId: operationId })).values()
    if (failure !== undefined) {
      const words = failure.message === null ? {} : { provider: { message: failure.message } }
      throw new AppError(isErrorCode(failure.code) ? failure.code : 'provider_rejected', words)
    }
    // Later changes are kept.
    if (now.steps.some(({ state }) => state === 'changed_since')) return { state: 'skipped', code: 'changed_since' }
    if (isUnread(reverting)) return { state: 'skipped', code: 'not_read_yet' }
    if (now.steps.every(({ state }) => state === 'impossible')) return { state: 'skipped', code: 'not_restorable' }
    await markUndone(ctx.db, undoOf, domainId)
    return { state: 'done' }
  },
}
