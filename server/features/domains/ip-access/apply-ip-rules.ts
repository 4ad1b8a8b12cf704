import { isDeepStrictEqual } from 'node:util'
import type { HistoryOptions } from '#server/platform/history.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { listExpiries, lockIpRules, upsertIpRules } from './ip-access.repo.ts'
import { differenceOf, toLogged } from './logged-ip-rule.ts'
import type { Expiries, IpRuleDifference, StoredIpRule } from './logged-ip-rule.ts'
import { placeOf, readIpRules, recordOwn } from './read-ip-rules.ts'
import { expiryFrom } from './rule-expiry.ts'
import type { EarlierAttempt, IpAccessCtx } from './read-ip-rules.ts'
import { isSameValue, sendIpRules } from './send-ip-rules.ts'
import type { IpRuleChange, MadeIpRule, SentIpRules } from './send-ip-rules.ts'

export type ApplyIpRulesOptions = CallOptions &
  HistoryOptions & {
    /** When an earlier attempt, which may have taken effect, began; null if there was none. */
    readonly repeatedSince?: Date | null
  }

/** Whether the change made this difference. */
function isEffect(change: IpRuleChange, { key, before, after }: IpRuleDifference): boolean {
  if (change.kind === 'create') {
    const { mode, note } = change.rule
    return before === null && after !== null && isSameValue(after, change.rule) && after.mode === mode && after.note === note
  }
  if (change.kind === 'update') return key === change.ruleId && before !== null && after !== null
  if (after !== null || before === null || !change.isExpected(before)) return false
  return 'ruleId' in change.of ? key === change.of.ruleId : isSameValue(before, change.of)
}

const earlierOf = (changes: readonly IpRuleChange[], since: Date, history: HistoryOptions): EarlierAttempt => ({
  isOwn: (difference) => changes.some((change) => isEffect(change, difference)),
  expiryOf: (difference, createdAt) => {
    const change = changes.find((each) => isEffect(each, difference))
    return change?.kind === 'create' ? expiryFrom(change.rule.expiry, (createdAt ?? since).getTime()) : null
  },
  revertsIdOf: (difference) => changes.find((each) => isEffect(each, difference))?.revertsId ?? null,
  since,
  history,
})

/** The change with the expiries of both sides; null if it changed nothing. */
export function toDifference({ change, before, after, expiresAt }: MadeIpRule, expiries: Expiries): IpRuleDifference | null {
  const known = before === null ? null : (expiries.get(before.id) ?? null)
  const next = change.kind === 'create' ? expiresAt : change.kind === 'update' ? change.set.expiresAt : null
  const [was, is] = [
    before === null ? null : toLogged(before, known),
    after === null ? null : toLogged(after, next === undefined ? known : next),
  ]
  return isDeepStrictEqual(was, is) ? null : differenceOf(was, is)
}

function withMade(rules: readonly StoredIpRule[], made: readonly MadeIpRule[]): StoredIpRule[] {
  const gone = new Set(made.flatMap(({ before, after }) => [before?.id, after?.id]))
  return [...rules.filter(({ id }) => !gone.has(id)), ...made.flatMap(({ after }) => after ?? [])]
}

/**
 * Reads the rules of a zone and sends nothing: what an earlier attempt at the changes made since a time gets its expiry and is in the history and
 * the activity log. Calls `serializeZoneChanges` itself.
 * @throws AppError provider_*
 */
export async function recordEarlierIpRules(
  ctx: IpAccessCtx,
  zone: OpenZone,
  changes: readonly IpRuleChange[],
  { since, source, batchId = null, ...call }: CallOptions & HistoryOptions & { readonly since: Date },
): Promise<void> {
  await serializeZoneChanges(zone.id, () => readIpRules(ctx, zone, call, earlierOf(changes, since, { source, batchId })))
}

/**
 * Changes rules of a zone, one call each, after reading all: other rules are not sent. What was made is in the mirror, the history and the
 * activity log also if a later change is refused. Calls `serializeZoneChanges` itself.
 * @throws AppError provider_* of the reading
 */
export async function applyIpRules(
  ctx: IpAccessCtx,
  zone: OpenZone,
  changes: readonly IpRuleChange[],
  { repeatedSince = null, source, batchId = null, ...call }: ApplyIpRulesOptions,
): Promise<SentIpRules> {
  const history = { source, batchId }
  return serializeZoneChanges(zone.id, async () => {
    const { rules } = await readIpRules(ctx, zone, call, repeatedSince === null ? undefined : earlierOf(changes, repeatedSince, history))
    const known = await listExpiries(ctx.db.orm, placeOf(zone))
    const sent = await sendIpRules(zone.connection, { zone: zone.providerZoneId }, rules, changes, {
      ...call,
      expiries: known,
      clock: ctx.clock,
    })
    if (sent.made.length === 0) return sent
    await ctx.db.orm.transaction(async (tx) => {
      await requireClaim()
      const mirror = await lockIpRules(tx, zone.id)
      if (mirror === null) throw new AppError('not_found')
      const expiries = await listExpiries(tx, placeOf(zone))
      // The time has to differ for a reading that runs meanwhile.
      await upsertIpRules(tx, zone.id, { rules: withMade(mirror.rules, sent.made), readAt: new Date(mirror.readAt.getTime() + 1) })
      const own = sent.made.flatMap((one) => {
        const difference = toDifference(one, expiries)
        return difference === null ? [] : [{ ...difference, revertsId: one.change.revertsId ?? null }]
      })
      await recordOwn(ctx, tx, zone, own, history)
    })
    return sent
  })
}
