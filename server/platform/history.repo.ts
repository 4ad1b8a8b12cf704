import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import { accountChanges } from '#server/db/schema/index.ts'
import type { zoneChanges } from '#server/db/schema/index.ts'

export type HistoryRow = typeof zoneChanges.$inferInsert

export type AccountHistoryRow = typeof accountChanges.$inferInsert

export async function insertAccountChanges(db: Queryable, rows: readonly AccountHistoryRow[]): Promise<void> {
  await db.insert(accountChanges).values([...rows])
}

const entityRef = z.object({ id: z.string() })

/** A record changed to another type looks to a sync like one deleted and one added. */
function asRead({ domainId, subject, key, before, after }: HistoryRow) {
  const [was, is] = [entityRef.safeParse(before).data?.id, entityRef.safeParse(after).data?.id]
  const one = { zone_id: domainId, subject }
  if (was === undefined || is === undefined || was === is) return [{ ...one, key, before, after }]
  return [
    { ...one, key: was, before, after: null },
    { ...one, key: is, before: null, after },
  ]
}

/**
 * Records changes. A sync may see a change of the panel before the panel has recorded it, and attribute it to someone else: that record is
 * deleted, because the one written now has the correct actor.
 */
export async function insertChanges(db: Queryable, rows: readonly HistoryRow[]): Promise<void> {
  // One statement, because most changes are recorded one by one; by hand, because drizzle would use thousands of parameters for many rows.
  await db.execute(sql`
    with taken as (
      delete from zone_changes c using json_to_recordset(${toJson(rows.flatMap(asRead))}::text::json)
        as own (zone_id uuid, subject change_subject, key text, before jsonb, after jsonb)
      where c.zone_id = own.zone_id and c.at > now() - interval '10 minutes' and c.source = 'outside'
        and c.subject = own.subject and c.key = own.key and (c.before, c.after) is not distinct from (own.before, own.after)
        and not exists (select from zone_changes later
          where later.zone_id = c.zone_id and later.at > c.at and later.subject = c.subject and later.key = c.key)
    )
    insert into zone_changes (zone_id, subject, key, label, before, after, source, actor_id, actor_name, batch_id, reverts_id)
    select "domainId", subject, key, label, before, after, source, "actorId", "actorName", "batchId", "revertsId"
    from json_to_recordset(${toJson(rows)}::text::json) as r ("domainId" uuid, subject change_subject, key text, label text,
      before jsonb, after jsonb, source change_source, "actorId" uuid, "actorName" text, "batchId" uuid, "revertsId" uuid)`)
}
