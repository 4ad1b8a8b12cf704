import type { Ctx } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { CallOptions, ListedRuleset } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { lockRulesets, findRulesets, upsertRulesets } from './rulesets.repo.ts'
import { differencesOf, emptyRuleset, rulesetOf, toStored, toStoredPageRules } from './stored-rulesets.ts'
import type { RulesetMirror, StoredPageRules, StoredRuleset } from './stored-rulesets.ts'

/** Refusals of one phase: the token has no permission for it, or the plan lacks it. */
const ofThePhase = new Set(['provider_forbidden', 'provider_rejected', 'provider_not_found'])

function problemOf(error: unknown): NonNullable<StoredRuleset['problem']> {
  if (!(error instanceof AppError) || !ofThePhase.has(error.code)) throw error
  return { code: error.code, message: error.provider?.message ?? null }
}

async function readPhase(
  { connection, providerZoneId }: OpenZone,
  phase: RulePhase,
  head: ListedRuleset | undefined,
  before: StoredRuleset | null,
  call: CallOptions,
): Promise<StoredRuleset> {
  // A list that lacks the rules known before is confirmed: a token may see only some phases.
  if (head === undefined && (before?.rules ?? []).length === 0) return emptyRuleset(phase)
  if (head !== undefined && before !== null && before.problem === null && before.rulesetId === head.id && before.version === head.version)
    return before
  try {
    return toStored(phase, await connection.getRuleset(providerZoneId, phase, call))
  } catch (error) {
    return { ...(before ?? emptyRuleset(phase)), problem: problemOf(error) }
  }
}

async function readPageRules(
  { connection, providerZoneId }: OpenZone,
  before: RulesetMirror | null,
  call: CallOptions,
): Promise<StoredPageRules> {
  try {
    return toStoredPageRules(await connection.listPageRules(providerZoneId, call))
  } catch (error) {
    return { rules: before?.pageRules.rules ?? [], problem: problemOf(error) }
  }
}

/**
 * Reads the rules of a zone into the mirror: one call for the list, one for each ruleset with another version, one for the page rules.
 * Differences from the previous reading are outside changes and are written to the history. Call it inside `serializeZoneChanges`.
 * @throws AppError provider_*
 */
export async function readRulesets(ctx: Ctx, zone: OpenZone, call: CallOptions): Promise<RulesetMirror> {
  const before = await findRulesets(ctx.db.orm, zone.id)
  const heads = (await zone.connection.listRulesets(zone.providerZoneId, call)).filter(({ kind }) => kind === 'zone')
  const [rulesets, pageRules] = await Promise.all([
    Promise.all(
      rulePhases.map((phase) =>
        readPhase(
          zone,
          phase,
          heads.find((head) => head.phase === phase),
          before === null ? null : rulesetOf(before, phase),
          call,
        ),
      ),
    ),
    readPageRules(zone, before, call),
  ])
  const now: RulesetMirror = { rulesets, pageRules, readAt: new Date(ctx.clock.now()) }
  return ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    const stored = await lockRulesets(tx, zone.id)
    // Another process has stored a change meanwhile, which this reading may not contain.
    if (stored !== null && stored.readAt.getTime() !== before?.readAt.getTime()) return stored
    const outside = before === null ? [] : rulesets.flatMap((ruleset) => differencesOf(rulesetOf(before, ruleset.phase), ruleset))
    await upsertRulesets(tx, zone.id, now)
    await writeHistory(
      tx,
      null,
      { source: 'outside' },
      outside.map((difference) => ({ domainId: zone.id, ...difference })),
    )
    if (outside.length > 0) await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
    return now
  })
}
