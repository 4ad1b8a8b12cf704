import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import type { HostedChange } from '#server/ports/dns-host.ts'

interface Of {
  readonly id: string
  readonly ownerId: string
}

const toRow = ({ actor, zone, ...change }: HostedChange) => ({
  ...change,
  actor: actor.email ?? actor.tokenName ?? actor.type ?? 'unknown',
  tokenName: actor.tokenName,
  via: actor.via,
  address: actor.address,
  providerZoneId: zone?.providerZoneId ?? null,
  zoneName: zone?.name ?? null,
})

/**
 * Stores the changes of an account that are not stored yet.
 * @returns those that were new
 */
export async function storeChanges(tx: Queryable, account: Of, changes: readonly HostedChange[]): Promise<HostedChange[]> {
  if (changes.length === 0) return []
  const stored = await tx.execute<{ changeId: string }>(sql`
    insert into provider_changes (owner_id, account_id, change_id, changed_at, kind, action, actor, token_name, via, address, product, subject,
      provider_zone_id, zone_name, is_own)
    select ${account.ownerId}, ${account.id}, c."changeId", c."changedAt", c.kind, c.action, c.actor, c."tokenName", c.via, c.address, c.product,
      c.subject, c."providerZoneId", c."zoneName", c."isOwn"
    from json_to_recordset(${toJson(changes.map(toRow))}::text::json) as c ("changeId" text, "changedAt" timestamptz, kind provider_change_kind,
      action text, actor text, "tokenName" text, via text, address text, product text, subject text, "providerZoneId" text, "zoneName" text,
      "isOwn" boolean)
    on conflict (account_id, change_id) do nothing
    returning change_id as "changeId"`)
  const isNew = new Set(stored.map((row) => row.changeId))
  // An entry that is listed twice in one answer is returned once.
  return changes.filter(({ changeId }) => isNew.delete(changeId))
}

/** Deletes changes older than the given number of days, at most `limit` of them. Returns how many. */
export async function deleteOld({ sql: query }: Database, days: number, limit: number): Promise<number> {
  const rows = await query`
    delete from provider_changes where id in (
      select id from provider_changes where changed_at < now() - ${days} * interval '1 day' order by changed_at, id limit ${limit})`
  return rows.count
}
