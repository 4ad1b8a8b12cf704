import { inArray, or } from 'drizzle-orm'
import type { DomainFilter, DomainSort } from '#shared/features/domains/schema.ts'
import type { Database, RawRow } from '#server/db/client.ts'
import { personLabelSql } from '#server/db/columns.ts'
import { accounts, groups, users } from '#server/db/schema/index.ts'
import type { zones } from '#server/db/schema/index.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'
import type { AccessScope } from '#server/platform/access-scope.ts'
import { columns, joined } from './domain-row.repo.ts'
import type { DomainRow, RowShape } from './domain-row.repo.ts'
import {
  conditions,
  emailPattern,
  scopeCondition,
  inShared,
  keySql,
  partsOf,
  statement,
  unknownPaid,
  unstorable,
  where,
} from './filter-conditions.ts'
import type { Owners, Part } from './filter-conditions.ts'
import { pageStatement } from './page-statement.repo.ts'
import type { Effort, PageQuery } from './page-statement.repo.ts'

const run = <T extends object>(db: Database, text: string, parameters: unknown[]) =>
  db.sql.unsafe<T[]>(text, parameters as never[], { prepare: true })

export async function listPage<Row extends object>(
  db: Database,
  scope: AccessScope,
  query: PageQuery & { readonly limit: number },
  shape: RowShape<Row>,
  effort: Effort | null = null,
): Promise<Row[]> {
  if (partsOf(scope).length === 0) return []
  const { text, parameters } = pageStatement(scope, query, shape, effort)
  const rows = await pages(db, JSON.stringify([text, parameters]), () =>
    db.steadySql.unsafe<object[]>(text, parameters as never[], { prepare: true }),
  )
  return rows as Row[]
}

/** After a change event all viewers of a list request it at the same moment. */
const pages = createSingleFlight<readonly object[]>()

/** Ids by index in the order, for ranges and jumps. `limit` null: to the end. */
export async function listIds(
  db: Database,
  scope: AccessScope,
  query: { readonly filter: DomainFilter; readonly sort: DomainSort; readonly offset: number; readonly limit: number },
): Promise<string[]> {
  const parts = partsOf(scope)
  if (parts.length === 0) return []
  const { parameters, place } = statement()
  const testsOf = (part: Part) => {
    const { owners } = part
    return where(conditions(query.filter, 'indexed', part, owners.length === 1 ? `${place(owners[0])}::uuid` : null, place))
  }
  const [only, ...others] = parts
  const isOnlyText = only !== undefined && others.length === 0
  const source = isOnlyText
    ? `zones z where ${testsOf(only)}`
    : `(${parts.map((part) => `select z.id, z.name, ${keySql(query.sort, query.filter, part)} as key from zones z where ${testsOf(part)}`).join(' union all ')}) z`
  const key = isOnlyText ? keySql(query.sort, query.filter, only) : 'z.key'
  const { direction } = query.sort
  const named = query.sort.by === 'name' || key === unknownPaid
  const order = [...(named ? [] : [key]), 'z.name', 'z.id'].map((column) => `${column} ${direction}`).join(', ')
  const rows = await run<{ id: string }>(
    db,
    `select z.id from ${source}
    order by ${order} offset ${place(query.offset)}::int limit ${place(query.limit)}::int`,
    parameters,
  )
  return rows.map((found) => found.id)
}

/** These zones in the order of `ids`; those that no longer exist or are outside the scope are left out. */
export async function listByIds<Row extends object>(
  db: Database,
  scope: AccessScope,
  ids: readonly string[],
  shape: RowShape<Row>,
): Promise<Row[]> {
  if (partsOf(scope).length === 0 || ids.length === 0) return []
  const { parameters, place } = statement()
  return run<Row>(
    db,
    `select ${shape.columns} from unnest(${place(ids)}::uuid[]) with ordinality i(id, place)
    join zones z on z.id = i.id and ${scopeCondition(scope, place)} ${shape.joined}
    order by i.place`,
    parameters,
  )
}

/** One zone, of any owner. */
export async function findRow(db: Database, id: string): Promise<DomainRow | null> {
  const [row] = await run<DomainRow>(db, `select ${columns} from zones z ${joined} where z.id = $1::uuid`, [id])
  return row ?? null
}

/** Names that begin with `term`, in name order from the index; at most `limit` per owner. */
export async function listByPrefix(db: Database, scope: AccessScope, term: string, limit: number) {
  const parts = partsOf(scope)
  if (parts.length === 0 || unstorable(term)) return []
  const { parameters, place } = statement()
  const [from, to, most] = [place(term), place(`${term}\u{10ffff}`), place(limit)]
  const found = parts.map(
    ({ owners, shared }) => `select p.* from unnest(${place(owners)}::uuid[]) o(id) cross join lateral (
      select z.id, z.name, z.search from zones z where z.owner_id = o.id and z.name >= ${from}::text and z.name < ${to}::text
      ${shared === null ? '' : `and ${inShared(shared, 'z', place)}`} order by z.name, z.id limit ${most}::int) p`,
  )
  return run<{ id: string; name: string; search: string }>(
    db,
    `select p.* from (${found.join(' union all ')}) p order by p.name, p.id limit ${most}::int`,
    parameters,
  )
}

export type NamedRow = RawRow<typeof zones, 'id' | 'name' | 'search' | 'accountId' | 'ownerId' | 'status'> & {
  accountEmail: string
  gone: boolean
}

/** The zones of each name; with several accounts the existing ones come first, and the active one before all. */
export async function listByNames(db: Database, scope: AccessScope, names: readonly string[]): Promise<NamedRow[]> {
  if (partsOf(scope).length === 0 || names.length === 0) return []
  const { parameters, place } = statement()
  const people = [...new Set([...scope.owners, ...(scope.shared?.owners ?? [])])]
  return run<NamedRow>(
    db,
    `select z.id, z.name, z.search, z.account_id, a.email as account_email, z.owner_id, z.status, z.gone_at is not null as gone
    from unnest(${place(names)}::text[]) n(name) cross join unnest(${place(people)}::uuid[]) o(id)
    join zones z on z.owner_id = o.id and z.name = n.name${scope.shared === null ? '' : ` and ${scopeCondition(scope, place)}`} join accounts a on a.id = z.account_id
    order by z.name, gone, z.status, a.email, z.id`,
    parameters,
  )
}

/** All owners of accounts; an administrator's view covers all of them. */
export async function listOwners(db: Database): Promise<string[]> {
  const rows = await db.sql<{ ownerId: string }[]>`select distinct owner_id from accounts`
  return rows.map((row) => row.ownerId)
}

/** Accounts matching the email filter, among all or the given ones. */
export async function listAccountIds(
  db: Database,
  { owners, shared }: AccessScope,
  email: string,
  within: readonly string[] | null,
): Promise<string[]> {
  if (unstorable(email)) return []
  const rows = await run<{ id: string }>(
    db,
    `select id from accounts where owner_id = any($1::uuid[]) and lower(email) like $2::text and ($3::uuid[] is null or id = any($3::uuid[]))`,
    // Includes all accounts of owners who share something; zones that they do not share are outside the scope anyway.
    [[...owners, ...(shared?.owners ?? [])], emailPattern(email), within],
  )
  return rows.map((row) => row.id)
}

/** Accounts of the owners, and the additional ones. */
export const listFilterAccounts = (db: Database, owners: Owners, ids: readonly string[]) =>
  db.orm
    .select({ id: accounts.id, ownerId: accounts.ownerId, email: accounts.email, name: accounts.name })
    .from(accounts)
    .where(or(inArray(accounts.ownerId, [...owners]), inArray(accounts.id, [...ids])))
    .orderBy(accounts.email, accounts.id)

export const listFilterGroups = (db: Database, owners: Owners, ids: readonly string[]) =>
  db.orm
    .select({ id: groups.id, ownerId: groups.ownerId, name: groups.name, color: groups.color, icon: groups.icon })
    .from(groups)
    .where(or(inArray(groups.ownerId, [...owners]), inArray(groups.id, [...ids])))
    .orderBy(groups.name, groups.id)

export const listOwnerNames = (db: Database, owners: Owners) =>
  db.orm
    .select({ id: users.id, name: personLabelSql })
    .from(users)
    .where(inArray(users.id, [...owners]))
    .orderBy(users.email)
