import type { Database, Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import { createBatchLoader } from '#server/platform/batch-loader.ts'
import type { Ctx } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { createStore } from '../access/store-together.ts'
import { listRulesetMirrors, lockRulesets, upsertRulesets } from './rulesets.repo.ts'
import { differencesOf, rulesetOf } from './stored-rulesets.ts'
import type { RulesetDifference, RulesetMirror, StoredRuleset } from './stored-rulesets.ts'

/** A phase of a zone before and after a call; the same after a reading. */
interface PhaseResult {
  readonly zone: OpenZone
  readonly before: StoredRuleset
  readonly after: StoredRuleset
  /** Whether the call made this difference; anything else happened at the provider meanwhile. */
  readonly isOwn: (difference: RulesetDifference) => boolean
  readonly revertsId: string | null
}

interface Kept extends PhaseResult {
  readonly ctx: Ctx
  readonly options: HistoryOptions
}

/** Versions grow with each write of a ruleset; one that was deleted and created again starts over. */
const isNewer = (one: StoredRuleset, other: StoredRuleset) =>
  one.rulesetId === other.rulesetId && one.rulesetId !== null && Number(one.version) > Number(other.version)

/** What is written for a phase. */
function compare({ before, after, isOwn }: PhaseResult, mirror: RulesetMirror) {
  const { phase } = after
  const stored = rulesetOf(mirror, phase)
  const own = differencesOf(before, after).filter(isOwn)
  // Another process may have stored what happened between our read and our write.
  if (isNewer(stored, after)) return { own, outside: [], mirror: null }
  const isCreatedNow = before.rulesetId === null && stored.rulesetId === after.rulesetId
  const since =
    !isCreatedNow && (isNewer(before, stored) || stored.rulesetId !== before.rulesetId)
      ? [...differencesOf(stored, before), ...differencesOf(before, after).filter((difference) => !isOwn(difference))]
      : differencesOf(stored, after).filter((difference) => !isOwn(difference))
  const rulesets = mirror.rulesets.map((each) => (each.phase === phase ? after : each))
  return {
    own,
    outside: since,
    // The age is that of the oldest part, so only this phase is newer; the time still has to differ for a reading that runs meanwhile.
    mirror: { ...mirror, rulesets, readAt: new Date(mirror.readAt.getTime() + 1) },
  }
}

/** The description of a rule; without one, its phase and place. */
function nameOf({ key, before, after }: RulesetDifference): string {
  const rule = after ?? before
  if (rule === null || !('definition' in rule)) return key
  return rule.definition.description === '' ? `${rule.phase} ${rule.position}` : rule.definition.description.slice(0, longestName)
}
const longestName = 200

function auditOf({ zone, options }: Kept, own: readonly RulesetDifference[]): AuditEntry {
  const count = (matches: (difference: RulesetDifference) => boolean) => own.filter(matches).length
  return {
    action: 'update',
    entityType: 'zone',
    entityId: zone.id,
    entityName: zone.name,
    ownerId: zone.ownerId,
    details: {
      part: 'rules',
      source: options.source,
      created: count((one) => one.before === null),
      updated: count((one) => one.before !== null && one.after !== null),
      deleted: count((one) => one.after === null),
      // Expressions may contain secrets of the site; the history has them.
      rules: own.map(nameOf),
    },
  }
}

/** Writes mirror, history, activity log and change events of several zones in one transaction. */
async function storeAll(tx: Transaction, all: readonly Kept[]): Promise<void> {
  const mirrors = await lockRulesets(
    tx,
    all.map(({ zone }) => zone.id),
  )
  const compared = all.map((kept) => {
    const mirror = mirrors.get(kept.zone.id)
    if (mirror === undefined) throw new AppError('not_found')
    return { kept, ...compare(kept, mirror) }
  })
  await upsertRulesets(
    tx,
    compared.flatMap(({ kept, mirror }) => (mirror === null ? [] : [{ domainId: kept.zone.id, mirror }])),
  )
  await writeHistory(
    tx,
    null,
    { source: 'outside' },
    compared.flatMap(({ kept, outside }) => outside.map((difference) => ({ domainId: kept.zone.id, ...difference }))),
  )
  const changed = compared.filter(({ own }) => own.length > 0)
  // The changes of one operation or request become one entry.
  const together = Map.groupBy(changed, ({ kept: { ctx, options } }) => `${ctx.requestId} ${options.source} ${options.batchId ?? ''}`)
  for (const some of together.values()) {
    const [first] = some
    if (first === undefined) continue
    const { ctx, options } = first.kept
    await writeHistory(
      tx,
      ctx,
      { source: options.source, batchId: options.batchId ?? null },
      some.flatMap(({ kept, own }) => own.map((difference) => ({ domainId: kept.zone.id, ...difference, revertsId: kept.revertsId }))),
    )
    await audit(tx, ctx, ...some.map(({ kept, own }) => auditOf(kept, own)))
  }
  const visible = compared.filter(({ own, outside }) => own.length + outside.length > 0).map(({ kept }) => kept)
  for (const [ownerId, theirs] of Map.groupBy(visible, ({ zone }) => zone.ownerId)) {
    const accountIds = [...new Set(theirs.map(({ zone }) => zone.accountId))]
    await theirs[0]?.ctx.events.publish(tx, ownerId, 'domains', accountIds)
  }
}

// Two batches at a time: one computes while the other waits for the disk. Comparing and writing rules blocks the process, so a batch has few.
const store = createStore<Kept>(
  {
    atMost: 50,
    sideBySide: 2,
    weight: { of: ({ before, after }) => Math.max(before.rules.length, after.rules.length), atMost: 1_000 },
  },
  storeAll,
)

/** Readings of many zones at about the same time are batched. The rules of a zone may be hundreds of kilobytes. */
const createFinder = (db: Database) =>
  createBatchLoader<string, RulesetMirror | null>(50, async (ids) => {
    const found = await listRulesetMirrors(db.orm, ids)
    return ids.map((id) => found.get(id) ?? null)
  })
const finders = new WeakMap<Database, ReturnType<typeof createFinder>>()

/** The rules of a zone as of the last reading; null before the first one. */
export function lookUpRulesets(db: Database, domainId: string): Promise<RulesetMirror | null> {
  const find = finders.get(db) ?? createFinder(db)
  finders.set(db, find)
  return find(domainId)
}

/**
 * Stores a phase after a call or a reading. Call it inside `serializeZoneChanges`.
 * @throws AppError not_found if the zone is gone
 */
export const storePhase = (ctx: Ctx, result: PhaseResult, options: HistoryOptions): Promise<void> =>
  store(ctx.db, { ...result, ctx, options })
