import type postgres from 'postgres'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as schema from '#server/db/schema/index.ts'

/** The panel's tables, as known to this version. */
const tableNames: string[] = Object.values(schema).flatMap((each) => (is(each, PgTable) ? [getTableName(each)] : []))

interface Rights {
  readonly user: string
  readonly database: string
  readonly makesSchemas: boolean
  readonly makesTables: boolean
  /** The schema in which unqualified tables are created and looked up. */
  readonly schema: string | null
  /** Owners of panel tables that this user may not change. */
  readonly strangers: readonly string[]
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Checks whether the database user may do what migrations and restores need: on a managed server it is not a superuser, and the schema
 * `public` belongs to another user. No extension or other right is needed.
 * @throws Error with the statements that grant the missing rights, or with the user to connect as
 */
export async function checkRights(sql: postgres.Sql | postgres.TransactionSql): Promise<void> {
  const [rights] = await sql<Rights[]>`
    select current_user::text as user, current_database()::text as database, current_schema()::text as schema,
      has_database_privilege(current_database(), 'create') as "makesSchemas",
      coalesce(has_schema_privilege(to_regnamespace('public'), 'usage') and has_schema_privilege(to_regnamespace('public'), 'create'), false) as "makesTables",
      (select coalesce(array_agg(distinct pg_get_userbyid(relowner)::text), '{}') from pg_class
        where relnamespace = to_regnamespace('public') and relkind in ('r', 'p') and relname = any(${tableNames}) and not pg_has_role(relowner, 'usage')) as strangers`
  if (rights === undefined) return
  const user = quoted(rights.user)
  const missing = [
    ...(rights.makesSchemas ? [] : [`GRANT CREATE ON DATABASE ${quoted(rights.database)} TO ${user};`]),
    ...(rights.makesTables ? [] : [`CREATE SCHEMA IF NOT EXISTS public; GRANT USAGE, CREATE ON SCHEMA public TO ${user};`]),
    ...(rights.makesTables && rights.schema !== 'public' ? [`ALTER ROLE ${user} SET search_path = public;`] : []),
  ]
  if (missing.length > 0)
    throw new Error(
      `the database user ${user} lacks required privileges; as an administrator of the server, run in the database ${quoted(rights.database)}:\n` +
        missing.map((statement) => `  ${statement}`).join('\n'),
    )
  if (rights.strangers.length > 0)
    throw new Error(
      `the panel's tables belong to the database user ${rights.strangers.map(quoted).join(', ')}, not to ${user}: connect as that user, ` +
        `or write a backup as that user and restore it as ${user} into an empty database`,
    )
}
