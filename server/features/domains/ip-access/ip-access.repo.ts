import { and, asc, eq, gte, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { ipRuleExpiries, zoneChanges, zoneIpRules, zones } from '#server/db/schema/index.ts'
import { loggedIpRule } from '#shared/features/domains/ip-access/schema.ts'
import { storedIpRules } from './logged-ip-rule.ts'
import type { Expiries, IpRuleDifference, IpRuleMirror, StoredIpRule } from './logged-ip-rule.ts'

const select = (db: Queryable, domainId: string) => db.select().from(zoneIpRules).where(eq(zoneIpRules.domainId, domainId))

function toMirror(row: Pick<typeof zoneIpRules.$inferSelect, 'rules' | 'readAt'> | undefined): IpRuleMirror | null {
  const stored = storedIpRules.safeParse(row?.rules)
  // Written by another version of the panel: it is read again.
  return row === undefined || !stored.success ? null : { rules: stored.data, readAt: row.readAt }
}

/** Changes of a zone's rules since a time that count as those of others; of each rule only the last one, if it is among them. */
export async function listOutsideChanges(
  db: Queryable,
  domainId: string,
  since: Date,
): Promise<{ readonly entryId: string; readonly difference: IpRuleDifference }[]> {
  const later = sql`exists (select from zone_changes later where later.zone_id = zone_changes.zone_id and later.subject = zone_changes.subject
    and later.key = zone_changes.key and (later.at, later.id) > (zone_changes.at, zone_changes.id))`
  const rows = await db
    .select()
    .from(zoneChanges)
    .where(
      and(
        eq(zoneChanges.domainId, domainId),
        eq(zoneChanges.subject, 'ip_rule'),
        eq(zoneChanges.source, 'outside'),
        gte(zoneChanges.at, since),
        sql`not ${later}`,
      ),
    )
    .orderBy(asc(zoneChanges.at), asc(zoneChanges.id))
  return rows.flatMap(({ id: entryId, key, label, before, after }) => {
    const [was, is] = [loggedIpRule.nullable().safeParse(before), loggedIpRule.nullable().safeParse(after)]
    return was.success && is.success ? [{ entryId, difference: { subject: 'ip_rule', key, label, before: was.data, after: is.data } }] : []
  })
}

export async function deleteChanges(db: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.delete(zoneChanges).where(inArray(zoneChanges.id, [...ids]))
}

/** Null before the first reading. */
export const findIpRules = async (db: Queryable, domainId: string): Promise<IpRuleMirror | null> =>
  toMirror((await select(db, domainId))[0])

/** Locks the row until the end of the transaction. */
export const lockIpRules = async (tx: Queryable, domainId: string): Promise<IpRuleMirror | null> =>
  toMirror((await select(tx, domainId).for('no key update'))[0])

export async function upsertIpRules(db: Queryable, domainId: string, { rules, readAt }: IpRuleMirror): Promise<void> {
  await db
    .insert(zoneIpRules)
    .values({ domainId, rules, readAt })
    .onConflictDoUpdate({ target: zoneIpRules.domainId, set: { rules, readAt } })
}

/** Plans of zones with their rules, by zone; `rules` is null before the first reading. */
export async function listForPlan(db: Queryable, domainIds: readonly string[]) {
  const rows = await db
    .select({ id: zones.id, plan: zones.plan, rules: zoneIpRules.rules, readAt: zoneIpRules.readAt })
    .from(zones)
    .leftJoin(zoneIpRules, eq(zoneIpRules.domainId, zones.id))
    .where(sql`${zones.id} = any(${sql.param([...domainIds])}::uuid[])`)
  return new Map(
    rows.map(({ id, plan, rules, readAt }) => [id, { plan, rules: readAt === null ? null : (toMirror({ rules, readAt })?.rules ?? null) }]),
  )
}

/** An account and the zone in it that has the rule; null: the rule is the account's. */
export interface RulePlace {
  readonly accountId: string
  readonly domainId: string | null
}

const at = ({ accountId, domainId }: RulePlace) =>
  and(eq(ipRuleExpiries.accountId, accountId), domainId === null ? isNull(ipRuleExpiries.domainId) : eq(ipRuleExpiries.domainId, domainId))

export async function listExpiries(db: Queryable, place: RulePlace): Promise<Expiries> {
  const rows = await db.select({ id: ipRuleExpiries.ruleId, expiresAt: ipRuleExpiries.expiresAt }).from(ipRuleExpiries).where(at(place))
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]))
}

/** Of the rules of these zones; ids of rules are unique at the provider. */
export async function listExpiriesOfZones(db: Queryable, domainIds: readonly string[]): Promise<Expiries> {
  const rows = await db
    .select({ id: ipRuleExpiries.ruleId, expiresAt: ipRuleExpiries.expiresAt })
    .from(ipRuleExpiries)
    .where(sql`${ipRuleExpiries.domainId} = any(${sql.param([...domainIds])}::uuid[])`)
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]))
}

export async function upsertExpiry(
  db: Queryable,
  { accountId, domainId }: RulePlace,
  { id: ruleId, mode }: Pick<StoredIpRule, 'id' | 'mode'>,
  expiresAt: Date,
): Promise<void> {
  const set = { mode, expiresAt, nextTryAt: expiresAt, tries: 0 }
  await db
    .insert(ipRuleExpiries)
    .values({ accountId, domainId, ruleId, ...set })
    .onConflictDoUpdate({ target: [ipRuleExpiries.accountId, ipRuleExpiries.ruleId], set })
}

/** With `passedAt`: only those that have passed by then. */
export async function deleteExpiries(db: Queryable, place: RulePlace, ruleIds: readonly string[], passedAt?: Date): Promise<void> {
  if (ruleIds.length === 0) return
  const passed = passedAt === undefined ? undefined : lte(ipRuleExpiries.expiresAt, passedAt)
  await db.delete(ipRuleExpiries).where(and(at(place), inArray(ipRuleExpiries.ruleId, [...ruleIds]), passed))
}

/** Whether the rule still has an expiry that has passed: somebody may have changed or removed it since it was claimed. */
export async function isExpired(db: Queryable, place: RulePlace, ruleId: string, now: Date): Promise<boolean> {
  const where = and(at(place), eq(ipRuleExpiries.ruleId, ruleId), lte(ipRuleExpiries.expiresAt, now))
  return (await db.select({ id: ipRuleExpiries.ruleId }).from(ipRuleExpiries).where(where)).length > 0
}

export type DueRule = RulePlace & { readonly ruleId: string; readonly mode: string; readonly tries: number }

/** Claims rules that have expired: nobody else gets them before `retryAt`. */
export async function claimDue(db: Queryable, now: Date, retryAt: Date, limit: number): Promise<DueRule[]> {
  const due = db
    .select({ accountId: ipRuleExpiries.accountId, ruleId: ipRuleExpiries.ruleId })
    .from(ipRuleExpiries)
    .where(and(lte(ipRuleExpiries.nextTryAt, now), lte(ipRuleExpiries.expiresAt, now)))
    .orderBy(asc(ipRuleExpiries.nextTryAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  return db
    .update(ipRuleExpiries)
    .set({ nextTryAt: retryAt, tries: sql`${ipRuleExpiries.tries} + 1` })
    .where(sql`(${ipRuleExpiries.accountId}, ${ipRuleExpiries.ruleId}) in (${due})`)
    .returning({
      accountId: ipRuleExpiries.accountId,
      domainId: ipRuleExpiries.domainId,
      ruleId: ipRuleExpiries.ruleId,
      mode: ipRuleExpiries.mode,
      tries: ipRuleExpiries.tries,
    })
}

/** Those that have passed by `now`; one that was changed meanwhile keeps its time. */
export async function postponeExpiries(
  db: Queryable,
  place: RulePlace,
  ruleIds: readonly string[],
  { now, nextTryAt }: { readonly now: Date; readonly nextTryAt: Date },
): Promise<void> {
  await db
    .update(ipRuleExpiries)
    .set({ nextTryAt })
    .where(and(at(place), inArray(ipRuleExpiries.ruleId, [...ruleIds]), lte(ipRuleExpiries.expiresAt, now)))
}
