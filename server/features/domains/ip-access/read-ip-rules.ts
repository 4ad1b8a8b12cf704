import { audit } from '#server/platform/audit.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'
import type { Transaction } from '#server/db/client.ts'
import { writeHistory } from '#server/platform/history.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import type { OpenZone } from '../access/open-zone.ts'
import {
  deleteChanges,
  deleteExpiries,
  findIpRules,
  listExpiries,
  listOutsideChanges,
  lockIpRules,
  upsertExpiry,
  upsertIpRules,
} from './ip-access.repo.ts'
import { differencesOf, toStoredIpRule } from './logged-ip-rule.ts'
import type { IpRuleDifference, IpRuleMirror, StoredIpRule } from './logged-ip-rule.ts'

/** A request, an operation, or the deletion of expired rules. */
export type IpAccessCtx = Pick<Services, 'db' | 'clock' | 'events' | 'log'> & AuditSource

export const placeOf = ({ accountId, id }: Pick<OpenZone, 'accountId' | 'id'>) => ({ accountId, domainId: id })

/** Clocks of the provider and of ours may differ by this. */
const skewMs = 60_000

/** What an earlier attempt, which ended before it could store its result, was to change. */
export interface EarlierAttempt {
  readonly isOwn: (difference: IpRuleDifference) => boolean
  /** When a rule that it created expires; the provider may not say when it was created. */
  readonly expiryOf: (difference: IpRuleDifference, createdAt: Date | null) => Date | null
  /** The history entry that it reverts. */
  readonly revertsIdOf: (difference: IpRuleDifference) => string | null
  /** When it began: somebody may have read the rules since, to whom its changes looked like those of others. */
  readonly since: Date
  readonly history: HistoryOptions
}

/**
 * Reads the rules of a zone into the mirror. Differences from the previous reading are outside changes, unless an earlier attempt made them, and
 * are written to the history. Call it inside `serializeZoneChanges`.
 * @throws AppError provider_*
 */
export async function readIpRules(ctx: IpAccessCtx, zone: OpenZone, call: CallOptions, earlier?: EarlierAttempt): Promise<IpRuleMirror> {
  const before = await findIpRules(ctx.db.orm, zone.id)
  const rules = (await zone.connection.listIpRules({ zone: zone.providerZoneId }, call)).map(toStoredIpRule)
  const now: IpRuleMirror = { rules, readAt: new Date(ctx.clock.now()) }
  return ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    const stored = await lockIpRules(tx, zone.id)
    // Another process has stored a change meanwhile, which this reading may not contain.
    if (stored !== null && stored.readAt.getTime() !== before?.readAt.getTime()) return stored
    const expiries = await listExpiries(tx, placeOf(zone))
    const differences = before === null ? [] : differencesOf(before.rules, rules, expiries)
    const createdAtOf = (id: string) => rules.find((rule) => rule.id === id)?.createdAt ?? null
    const isOwn = (difference: IpRuleDifference): boolean => {
      if (earlier?.isOwn(difference) !== true) return false
      // The same rule of somebody else, from before that attempt, stays theirs.
      const createdAt = difference.before === null ? createdAtOf(difference.key) : null
      return createdAt === null || Date.parse(createdAt) >= earlier.since.getTime() - skewMs
    }
    const own = differences.filter(isOwn)
    const outside = differences.filter((difference) => !own.includes(difference))
    await upsertIpRules(tx, zone.id, now)
    const present = new Set(rules.map(({ id }) => id))
    await deleteExpiries(
      tx,
      placeOf(zone),
      [...expiries.keys()].filter((id) => !present.has(id)),
    )
    await writeHistory(
      tx,
      null,
      { source: 'outside' },
      outside.map((difference) => ({ domainId: zone.id, ...difference })),
    )
    if (earlier !== undefined) {
      const taken = (await listOutsideChanges(tx, zone.id, earlier.since)).filter(({ difference }) => isOwn(difference))
      await deleteChanges(
        tx,
        taken.map(({ entryId }) => entryId),
      )
      const all = [...taken.map(({ difference }) => difference), ...own]
      await recordOwn(ctx, tx, zone, all.map(asOwn(earlier, rules)), earlier.history)
    }
    if (earlier === undefined && outside.length > 0) await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
    return now
  })
}

const asOwn =
  ({ expiryOf, revertsIdOf }: EarlierAttempt, rules: readonly StoredIpRule[]) =>
  (difference: IpRuleDifference): IpRuleDifference & { readonly revertsId: string | null } => {
    const revertsId = revertsIdOf(difference)
    if (difference.after === null || difference.before !== null) return { ...difference, revertsId }
    const createdAt = rules.find(({ id }) => id === difference.key)?.createdAt ?? null
    const expiresAt = expiryOf(difference, createdAt === null ? null : new Date(createdAt))
    return { ...difference, revertsId, after: { ...difference.after, expiresAt: expiresAt?.toISOString() ?? null } }
  }

/** Writes own changes of the rules: expiries, history, activity log and change event. The mirror is written by the caller. */
export async function recordOwn(
  ctx: IpAccessCtx,
  tx: Transaction,
  zone: OpenZone,
  own: readonly (IpRuleDifference & { readonly revertsId?: string | null })[],
  options: HistoryOptions,
): Promise<void> {
  if (own.length === 0) return
  const place = placeOf(zone)
  await deleteExpiries(
    tx,
    place,
    own.filter(({ after }) => after === null || after.expiresAt === null).map(({ key }) => key),
  )
  for (const { after } of own) {
    if (after !== null && after.expiresAt !== null) await upsertExpiry(tx, place, after, new Date(after.expiresAt))
  }
  await writeHistory(
    tx,
    ctx,
    { source: options.source, batchId: options.batchId ?? null },
    own.map((difference) => ({ domainId: zone.id, ...difference })),
  )
  const { id: entityId, name: entityName, ownerId } = zone
  await audit(tx, ctx, { action: 'update', entityType: 'zone', entityId, entityName, ownerId, details: detailsOf(own, options.source) })
  await ctx.events.publish(tx, ownerId, 'domains', [zone.accountId])
}

/** What the activity log says of changes of rules. */
export function detailsOf(own: readonly Pick<IpRuleDifference, 'label' | 'before' | 'after'>[], source: HistoryOptions['source']) {
  const count = (matches: (difference: Pick<IpRuleDifference, 'before' | 'after'>) => boolean) => own.filter(matches).length
  return {
    part: 'ip_access',
    source,
    created: count((one) => one.before === null),
    updated: count((one) => one.before !== null && one.after !== null),
    deleted: count((one) => one.after === null),
    rules: own.map(({ label }) => label),
  }
}
