import type { Sql } from '#server/db/client.ts'

/** Fills a table without the indexes that no constraint needs: building them afterwards takes a fraction of the time. */
export async function withoutIndexes(sql: Sql, table: string, fill: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = ${table}::regclass and not exists (select from pg_constraint where conindid = indexrelid)`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await fill()
  await sql.begin(async (tx) => {
    await tx`set local maintenance_work_mem = '1GB'`
    for (const { definition } of indexes) await tx.unsafe(definition)
  })
}
