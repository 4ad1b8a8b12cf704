import postgres from 'postgres'
import type { Sql } from '#server/db/client.ts'

/** Also for a missing partition. */
const checkViolation = '23514'

interface Column {
  readonly name: string
  readonly type: string
  readonly kind: 'e' | 'b' | 'd' | 'r' | 'm' | 'c' | 'p'
  readonly label: string | null
  /** The referenced `table.column`. */
  readonly refers: string | null
  readonly needed: boolean
}

const values: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'x'`,
  boolean: 'true',
  integer: '1',
  smallint: '1',
  bigint: '1',
  real: '1',
  'double precision': '1',
  jsonb: `'{}'`,
  bytea: `'\\x00'`,
  date: 'current_date',
}

/** A value for a required column. */
function valueOf({ type, kind, label, name }: Column): string {
  if (kind === 'e') return `'${label}'`
  if (type.endsWith('[]')) return `'{}'`
  if (type.startsWith('timestamp')) return 'now()'
  if (type.startsWith('numeric')) return '1'
  const value = values[type]
  if (value === undefined) throw new Error(`no value is known for ${name} ${type}`)
  return value
}

/**
 * Inserts one minimal row into every table of a schema of any version, so that migrations and backups run on non-empty tables. A table
 * whose checks require more than a value of each type stays empty.
 * @returns the filled tables
 */
export async function fillTables(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string; columns: Column[] }[]>`
    select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'kind', t.typtype,
        'label', (select enumlabel from pg_enum e where e.enumtypid = t.oid order by enumsortorder limit 1),
        'refers', (select r.relname || '.' || ra.attname from pg_constraint k join pg_class r on r.oid = k.confrelid
          join pg_attribute ra on ra.attrelid = r.oid and ra.attnum = k.confkey[array_position(k.conkey, a.attnum)]
          where k.contype = 'f' and k.conrelid = c.oid and a.attnum = any(k.conkey) limit 1),
        'needed', a.attnotnull and not a.atthasdef and a.attgenerated = '' and a.attidentity = '') order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
    group by c.oid, c.relname order by c.relname`
  const filled = new Set<string>()
  let left = [...tables]
  for (;;) {
    const ready = left.filter(({ columns }) =>
      columns.every(({ refers, needed }) => !needed || refers === null || filled.has(refers.split('.')[0] ?? '')),
    )
    if (ready.length === 0) return [...filled]
    for (const { name, columns } of ready) {
      const needed = columns.filter((column) => column.needed)
      const given = needed.map((column) => {
        const [table, key] = column.refers?.split('.') ?? []
        return table === undefined ? valueOf(column) : `(select "${key}" from "${table}" limit 1)`
      })
      const row =
        needed.length === 0 ? 'default values' : `(${needed.map((column) => `"${column.name}"`).join(', ')}) values (${given.join(', ')})`
      try {
        await sql.unsafe(`insert into "${name}" ${row} on conflict do nothing`)
        filled.add(name)
      } catch (error) {
        if (!(error instanceof postgres.PostgresError && error.code === checkViolation)) throw error
      }
    }
    left = left.filter((table) => !ready.includes(table))
  }
}
