import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import type { activity } from '#server/db/schema/index.ts'

export type AuditRow = Omit<typeof activity.$inferInsert, 'id' | 'createdAt'>

/** Inserts in the given order. Written by hand because drizzle would generate thousands of parameters for many rows. */
export async function insertAudit(db: Queryable, rows: readonly AuditRow[]): Promise<void> {
  await db.execute(sql`
    insert into activity (owner_id, actor_id, actor_name, actor_kind, actor_via, action, entity_type, code, entity_id, entity_name, details, address, request_id)
    select "ownerId", "actorId", "actorName", "actorKind", "actorVia", action, "entityType", code, "entityId", "entityName", details, address, "requestId"
    from json_to_recordset(${toJson(rows)}::text::json) as r ("ownerId" uuid, "actorId" uuid, "actorName" text,
      "actorKind" activity_actor, "actorVia" uuid, action activity_action, "entityType" activity_entity, code smallint, "entityId" text,
      "entityName" text, details jsonb, address text, "requestId" text)`)
}

type NamedKind = 'zone' | 'account' | 'group'

/** The owner of a resource and its name; null if it does not exist. */
export async function findNamed({ sql }: Pick<Database, 'sql'>, kind: NamedKind, id: string) {
  const [row] = await sql<{ ownerId: string; name: string }[]>`
    select owner_id, name from zones where ${kind} = 'zone' and id = ${id}
    union all select owner_id, email from accounts where ${kind} = 'account' and id = ${id}
    union all select owner_id, name from groups where ${kind} = 'group' and id = ${id}`
  return row === undefined ? null : { ownerId: row.ownerId, name: row.name }
}
