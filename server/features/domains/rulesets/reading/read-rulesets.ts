import { updateRulesDue } from '#server/features/domains/mirror/index.ts'
import type { Services } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { CallOptions, HostConnection, ListedRuleset } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { DomainId, ProviderZoneId } from '#shared/ids.ts'
import { lockRulesets, findRulesets, upsertRulesets } from '../rulesets.repo.ts'
import { differencesOf, emptyRuleset, isSameVersion, rulesetOf, toStored, toStoredPageRules } from '../stored-rulesets.ts'
import type { RulesetMirror, StoredPageRules, StoredRuleset } from '../stored-rulesets.ts'

type ReadCtx = Pick<Services, 'db' | 'clock' | 'events'>
interface ReadZone {
  readonly id: DomainId
  readonly ownerId: string
  readonly accountId: string
  readonly providerZoneId: ProviderZoneId
  readonly connection: HostConnection
}

/** Refusals of one phase: the token has no permission for it, or the plan lacks it. */
const ofThePhase = new Set(['provider_forbidden', 'provider_rejected', 'provider_not_found'])

function problemOf(error: unknown): NonNullable<StoredRuleset['problem']> {
  if (!(error instanceof AppError) || !ofThePhase.has(error.code)) throw error
  return { code: error.code, message: error.provider?.message ?? null }
}

async function readPhase(
  { connection, providerZoneId }: Pick<ReadZone, 'providerZoneId'> & { readonly connection: Pick<HostConnection, 'getRuleset'> },
  phase: RulePhase,
  head: ListedRuleset | undefined,
  before: StoredRuleset | null,
  call: CallOptions,
): Promise<StoredRuleset> {
  // A list that lacks the rules known before is confirmed: a token may see only some phases.
  if (head === undefined && (before?.rules ?? []).length === 0) return emptyRuleset(phase)
  if (head !== undefined && before !== null && isSameVersion(before, { rulesetId: head.id, version: head.version })) return before
  try {
    return toStored(phase, await connection.getRuleset(providerZoneId, phase, call))
  } catch (error) {
    return { ...(before ?? emptyRuleset(phase)), problem: problemOf(error) }
  }
}

async function readPageRules(
  { connection, providerZoneId }: ReadZone,
  before: RulesetMirror | null,
  call: CallOptions,
): Promise<StoredPageRules> {
  try {
    return toStoredPageRules(await connection.listPageRules(providerZoneId, call))
  } catch (error) {
    return { rules: before?.pageRules.rules ?? [], problem: problemOf(error) }
  }
}

/** One call for the list, one for each ruleset with another version, one for the page rules. */
async function fetchRules(zone: ReadZone, before: RulesetMirror | null, call: CallOptions) {
  let calls = 2
  const connection: Pick<HostConnection, 'getRuleset'> = {
    getRuleset: (...given) => {
      calls += 1
      return zone.connection.getRuleset(...given)
    },
  }
  const heads = (await zone.connection.listRulesets(zone.providerZoneId, call)).filter(({ kind }) => kind === 'zone')
  const [rulesets, pageRules] = await Promise.all([
    Promise.all(
      rulePhases.map((phase) =>
        readPhase(
          { providerZoneId: zone.providerZoneId, connection },
          phase,
          heads.find((head) => head.phase === phase),
          before === null ? null : rulesetOf(before, phase),
          call,
        ),
      ),
    ),
    readPageRules(zone, before, call),
  ])
  return { rulesets, pageRules, calls }
}

async function read(ctx: ReadCtx, zone: ReadZone, call: CallOptions): Promise<{ mirror: RulesetMirror; calls: number }> {
  const before = await findRulesets(ctx.db.orm, zone.id)
  const { rulesets, pageRules, calls } = await fetchRules(zone, before, call)
  const now: RulesetMirror = { rulesets, pageRules, readAt: new Date(ctx.clock.now()) }
  const mirror = await ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    await updateRulesDue(tx, zone.id)
    const stored = (await lockRulesets(tx, [zone.id])).get(zone.id) ?? null
    // Another process has stored a change meanwhile, which this reading may not contain.
    if (stored !== null && stored.readAt.getTime() !== before?.readAt.getTime()) return stored
    const outside = before === null ? [] : rulesets.flatMap((ruleset) => differencesOf(rulesetOf(before, ruleset.phase), ruleset))
    await upsertRulesets(tx, [{ domainId: zone.id, mirror: now }])
    await writeHistory(
      tx,
      null,
      { source: 'outside' },
      outside.map((difference) => ({ domainId: zone.id, ...difference })),
    )
    if (outside.length > 0) await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
    return now
  })
  return { mirror, calls }
}

/**
 * Reads the rules of a zone into the mirror. Differences from the previous reading are outside changes and are written to the history. Call it
 * inside `serializeZoneChanges`.
 * @throws AppError provider_*
 */
export const readRulesets = async (ctx: ReadCtx, zone: ReadZone, call: CallOptions): Promise<RulesetMirror> =>
  (await read(ctx, zone, call)).mirror

/**
 * The same for the background sync. Changes of the zone do not wait for it, because its calls may wait minutes for the budget: a reading
 * that is older than a change is discarded.
 * @returns how many calls it made
 * @throws AppError provider_*
 */
export const syncRulesets = async (ctx: ReadCtx, zone: ReadZone, call: CallOptions): Promise<number> => (await read(ctx, zone, call)).calls
