import type { Database } from '#server/db/client.ts'

type NamedKind = 'zone' | 'account' | 'group'

/** Whose a thing is, and its name; null where it is not there (any more). */
export async function findNamed({ sql }: Pick<Database, 'sql'>, kind: NamedKind, id: string) {
  const [row] = await sql<{ ownerId: string; name: string }[]>`
    select owner_id, name from zones where ${kind} = 'zone' and id = ${id}
    union all select owner_id, email from accounts where ${kind} = 'account' and id = ${id}
    union all select owner_id, name from groups where ${kind} = 'group' and id = ${id}`
  return row === undefined ? null : { ownerId: row.ownerId, name: row.name }
}
