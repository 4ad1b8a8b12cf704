import type { Sql } from '#server/db/client.ts'

/**
 * The objects in `public`, one per line, without differences between databases of one schema: the column order, partitions created over
 * time, and constraints that only tests add (`testing_…`).
 */
export async function describeSchema(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    with own as (select oid, relname, relkind from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
    select format('column %s.%s %s default %s generated %s null %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        pg_get_expr(d.adbin, d.adrelid), a.attgenerated, not a.attnotnull) as line
      from own c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
    union all select format('index %s', pg_get_indexdef(i.indexrelid)) from pg_index i join own c on c.oid = i.indrelid
    union all select format('constraint %s.%s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) from pg_constraint k join own c on c.oid = k.conrelid
      where k.conname not like 'testing\\_%'
    union all select format('trigger %s', pg_get_triggerdef(t.oid)) from pg_trigger t join own c on c.oid = t.tgrelid where not t.tgisinternal
    union all select format('function %s', pg_get_functiondef(p.oid)) from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all select format('type %s %s', t.typname, (select array_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = t.oid))
      from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'e'
    order by 1`
  return rows.map(({ line }) => line)
}
