import postgres from 'postgres'

/** The panel's role in the bundled PostgreSQL: owner of its database, but not a superuser. */
export const panelRole = 'zonedeck_panel'

/** Of two processes that start concurrently, one creates it. */
const lockKey = 7_302_114

/**
 * Objects that earlier versions created as superuser, each with the statement that changes the owner. Objects belonging to a table follow
 * it.
 */
const handOver = `
  with schemas as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
  things as (
    select 1 as turn, format('alter schema %I', nspname) as statement, 'pg_namespace'::regclass as catalog, oid from pg_namespace
      where oid in (select oid from schemas) and nspowner = $1::oid
    union all
    select 2, format('alter table %s', oid::regclass), 'pg_class'::regclass, oid from pg_class
      where relnamespace in (select oid from schemas) and relowner = $1::oid and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
    union all
    select 3, format('alter routine %s', oid::regprocedure), 'pg_proc'::regclass, oid from pg_proc
      where pronamespace in (select oid from schemas) and proowner = $1::oid
    union all
    select 4, format('alter type %s', oid::regtype), 'pg_type'::regclass, oid from pg_type
      where typnamespace in (select oid from schemas) and typowner = $1::oid and typtype in ('e', 'd', 'r')
  )
  select statement from things
  where not exists (select from pg_depend d where d.classid = things.catalog and d.objid = things.oid and d.refobjid <> d.objid and d.deptype in ('e', 'i', 'a'))
  order by turn, statement`

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Creates the panel's role if it is missing, and transfers all objects of the superuser in the database to it.
 * @param url of the panel's database, as the superuser
 */
export async function preparePanelRole(url: string, password: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${lockKey})`
      const [found] = await tx`select from pg_roles where rolname = ${panelRole}`
      const attributes = `login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${literal(password)}`
      await tx.unsafe(`${found === undefined ? 'create' : 'alter'} role ${panelRole} ${attributes}`)
      const [own] = await tx<{ database: string; isOwner: boolean; me: number }[]>`
        select quote_ident(datname) as database, pg_get_userbyid(datdba) = ${panelRole} as "isOwner", current_user::regrole::oid::int as me
        from pg_database where datname = current_database()`
      if (own === undefined) throw new Error('the database has no identity')
      if (!own.isOwner) await tx.unsafe(`alter database ${own.database} owner to ${panelRole}`)
      const left = await tx.unsafe<{ statement: string }[]>(handOver, [own.me])
      for (const { statement } of left) await tx.unsafe(`${statement} owner to ${panelRole}`)
    })
  } finally {
    await sql.end({ timeout: 1 })
  }
}
