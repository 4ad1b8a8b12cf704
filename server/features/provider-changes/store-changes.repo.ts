import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import type { HostedChange } from '#server/ports/dns-host.ts'
import { massDeletion } from '#shared/features/provider-changes/schema.ts'
import { unknownActor } from '#shared/features/provider-changes/names.ts'
import { lockRules } from './allowed-changes.repo.ts'

interface Of {
  readonly id: string
  readonly ownerId: string
}

const toRow = ({ actor, zone, ...change }: HostedChange) => ({
  ...change,
  actor: actor.email ?? actor.tokenName ?? actor.type ?? unknownActor,
  tokenName: actor.tokenName,
  via: actor.via,
  address: actor.address,
  providerZoneId: zone?.providerZoneId ?? null,
  zoneName: zone?.name ?? null,
})

/**
 * Whether a record was proxied before: the panel may have read it already, and then its history has the earlier state. A record that the panel does
 * not know is not taken for proxied.
 */
const wasProxied = sql`exists (
  select from json_array_elements_text(c.unproxied) as u (id)
    join zones z on z.owner_id = c.owner_id and z.zone_id = c."providerZoneId" and z.account_id = c.account_id
    left join dns_records r on r.zone_id = z.id and r.record_id = u.id
    left join lateral (select (h.before ->> 'proxied')::boolean as proxied from zone_changes h
      where h.zone_id = z.id and h.at >= c."changedAt" and h.subject = 'record' and h.key = u.id order by h.at, h.id limit 1) h on true
  where coalesce(h.proxied, r.proxied))`

/** Whether a rule allows the change `c`. */
const isAllowed = sql`exists (
  select from allowed_changes a where a.owner_id = c.owner_id and a.actor = c.actor and (a.kind is null or a.kind = c.kind)
    and (a.account_id is null or a.account_id = c.account_id)
    and (a.group_id is null or exists (
      select from zones z where z.owner_id = c.owner_id and z.zone_id = c."providerZoneId" and z.group_id = a.group_id)))`

/**
 * Stores the changes of an account that are not stored yet. Those that a rule allows need no review.
 * @returns those that were new
 */
export async function storeChanges(tx: Queryable, account: Of, changes: readonly HostedChange[]): Promise<HostedChange[]> {
  if (changes.length === 0) return []
  await lockRules(tx, account.ownerId, 'shared')
  const stored = await tx.execute<{ changeId: string }>(sql`
    insert into provider_changes (owner_id, account_id, change_id, changed_at, kind, action, actor, token_name, via, address, product, subject,
      provider_zone_id, zone_name, is_own, deletions, critical, is_allowed, reviewed_at)
    select c.owner_id, c.account_id, c."changeId", c."changedAt", c.kind, c.action, c.actor, c."tokenName", c.via, c.address, c.product,
      c.subject, c."providerZoneId", c."zoneName", c."isOwn", c.deletions,
      case when not c."isOwn" then coalesce(c.critical, case when ${wasProxied} then 'proxied_off'::critical_change end) end,
      c.is_allowed, case when c.is_allowed then now() end
    from (select c.*, not c."isOwn" and ${isAllowed} as is_allowed from (select ${account.ownerId}::uuid as owner_id, ${account.id}::uuid as account_id, * from json_to_recordset(${toJson(changes.map(toRow))}::text::json) as r ("changeId" text,
      "changedAt" timestamptz, kind provider_change_kind, action text, actor text, "tokenName" text, via text, address text, product text,
      subject text, "providerZoneId" text, "zoneName" text, "isOwn" boolean, deletions integer, critical critical_change, unproxied json)) c) c
    on conflict (account_id, change_id) do nothing
    returning change_id as "changeId"`)
  const isNew = new Set(stored.map((row) => row.changeId))
  // An entry that is listed twice in one answer is returned once.
  const added = changes.filter(({ changeId }) => isNew.delete(changeId))
  await markMassDeletions(tx, account, added)
  return added
}

/**
 * Deletions of records by others are critical if one actor made many within some minutes: all of these, also the first ones. Those that a person has
 * reviewed do not count.
 */
async function markMassDeletions(tx: Queryable, account: Of, added: readonly HostedChange[]): Promise<void> {
  const made = added.filter(({ deletions, isOwn }) => deletions > 0 && !isOwn)
  if (made.length === 0) return
  const window = sql`${massDeletion.minutes} * interval '1 minute'`
  await tx.execute(sql`
    update provider_changes c set critical = 'mass_deletion' from (
      select id, max(before) over (partition by actor order by changed_at range between current row and ${window} following) as most from (
        select id, actor, changed_at, sum(deletions) over (partition by actor order by changed_at range between ${window} preceding and current row) as before
        from provider_changes
        where account_id = ${account.id} and deletions > 0 and not is_own and reviewed_at is null and changed_at >= ${earliest(made)}::timestamptz - ${window}
      ) d
    ) d where c.id = d.id and d.most >= ${massDeletion.records} and c.critical is null`)
}

const earliest = (changes: readonly HostedChange[]): string =>
  new Date(changes.reduce((first, { changedAt }) => Math.min(first, changedAt.getTime()), Infinity)).toISOString()

/** Deletes changes older than the given number of days, at most `limit` of them. Returns how many. */
export async function deleteOld({ sql: query }: Database, days: number, limit: number): Promise<number> {
  const rows = await query`
    delete from provider_changes where id in (
      select id from provider_changes where changed_at < now() - ${days} * interval '1 day' order by changed_at, id limit ${limit})`
  return rows.count
}
