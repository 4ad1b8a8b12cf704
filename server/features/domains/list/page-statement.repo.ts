import { numbersOfFilter } from '#shared/features/domains/dims.ts'
import type { DomainFilter, DomainSort } from '#shared/features/domains/schema.ts'
import type { AccessScope } from '#server/platform/access-scope.ts'
import type { DomainKey } from './domain-cursor.ts'
import { wholeRow } from './domain-row.repo.ts'
import type { RowShape } from './domain-row.repo.ts'
import {
  besideDims,
  conditions,
  countsSql,
  dimPlaces,
  dimTest,
  emailTest,
  given,
  keySql,
  paidTests,
  partsOf,
  sortable,
  statement,
  textConditions,
  unknownPaid,
  where,
} from './filter-conditions.ts'
import type { Owners, Part, Place } from './filter-conditions.ts'
import { searchTerm } from '../domain-name.ts'

/** The filter that fixes the sort value: the order's index then starts at the first match. */
const pinnedBy = { status: 'status', sslMode: 'ssl', securityLevel: 'securityLevel', health: 'health' } as const

/** The columns of the order's index besides `dims`. */
const heldBy: Partial<Record<DomainSort['by'], readonly string[]>> = { paidUntil: ['registrar_id', 'paid_until'], requests: ['requests'] }

/** How many rows are tested in order before the matches are collected and sorted, and how many are collected at most. */
export interface Effort {
  readonly walk: number
  readonly collect: number
  /** If the counts show at most this many matches, they are collected immediately. */
  readonly known: number
}
/** A row tested only in the order's index costs a tenth of one that has to be read, whether walked or collected. */
const efforts = {
  rows: { walk: 2_000, collect: 8_000, known: 500 },
  /** Typed text usually matches few rows. */
  texts: { walk: 1_000, collect: 8_000, known: 500 },
  index: { walk: 10_000, collect: 8_000, known: 500 },
  /** Names with their search text: reading the whole index is faster than reading a tenth of the rows. */
  names: { walk: 4_000, collect: 500, known: 500 },
} as const satisfies Record<string, Effort>

/** How far walking pays depends on the columns in the order's index. */
function effortOf(tested: readonly string[], typed: boolean, named: boolean): Effort {
  const others = tested.filter((column) => column !== 'dims')
  if (others.length === 0) return efforts.index
  if (named && others.every((column) => column === 'search')) return efforts.names
  return typed ? efforts.texts : efforts.rows
}

const isTyped = ({ search = '', ip = '' }: DomainFilter) => search !== '' || ip !== ''

export interface PageQuery {
  readonly filter: DomainFilter
  readonly sort: DomainSort
  readonly after: DomainKey | null
}

/** The order of a page and the values that its rows are compared by. */
interface PageOrder {
  /** SQL for the sort value. */
  readonly key: string
  /** Ordered by name only: the key is the same for all rows. */
  readonly named: boolean
  /** All zones of one account have its email, so they are ordered by name, in an index of their own. */
  readonly oneAccount: boolean
}

function orderOf({ filter, sort }: PageQuery, part: Part): PageOrder {
  const oneAccount = filter.accountIds?.length === 1 && (sort.by === 'account' || sort.by === 'name')
  const key = keySql(sort, filter, part)
  return { key, oneAccount, named: sort.by === 'name' || oneAccount || key === unknownPaid }
}

/** Ordered by name in an index that has no owner. */
const isOfNames = ({ named, key }: PageOrder) => named && key !== unknownPaid

/** The `order by` list for rows `alias` with the sort value `key`. */
const orderSql = ({ named }: PageOrder, { direction }: DomainSort, alias: string, key: string) =>
  [...(named ? [] : [key]), `${alias}.name`, `${alias}.id`].map((column) => `${column} ${direction}`).join(', ')

/** Tests for rows after the last row of the previous page. */
function afterTests({ sort, after }: PageQuery, { key, named }: PageOrder, place: Place): string[] {
  if (after === null) return []
  // Unknown dates sort after all known ones, or before them.
  if (key === unknownPaid && after.value !== 'infinity') return sort.direction === 'desc' ? ['false'] : []
  const compare = sort.direction === 'asc' ? '>' : '<'
  return [
    named
      ? `(z.name, z.id) ${compare} (${place(after.name)}::text, ${place(after.id)}::uuid)`
      : `(${key}, z.name, z.id) ${compare} (${place(after.value)}::${sortable[sort.by].type}, ${place(after.name)}::text, ${place(after.id)}::uuid)`,
  ]
}

/** Tests that the order's own index can answer, so that a walk along it begins at the first match. */
function walkTests({ filter, sort }: PageQuery, { key, named, oneAccount }: PageOrder, place: Place): string[] {
  const tests: string[] = []
  // Names without a Unicode form contain no such letters; names with one have an index of their own.
  if (named && !oneAccount && /[^\0-\x7f]/.test(searchTerm(filter.search ?? ''))) tests.push('z.search <> z.name')
  if (oneAccount && filter.accountIds !== undefined) tests.push(`z.account_id = ${place(filter.accountIds[0])}::uuid`)
  if (sort.by in pinnedBy) {
    const name = pinnedBy[sort.by as keyof typeof pinnedBy]
    const value = filter[name]
    const numbers = value === undefined ? [] : numbersOfFilter(name, value)
    if (numbers.length === 1) tests.push(`${key} = ${numbers[0]}`)
    else if (numbers.length > 1) tests.push(`${key} >= ${Math.min(...numbers)}`)
  }
  if (sort.by === 'paidUntil') tests.push(...paidTests(filter, place))
  return tests
}

const tested =
  'dims search addresses account_id group_id registrar_id paid_until protection origin_soon_at origin_expires_at requests activated_at provider_created_at created_at'.split(
    ' ',
  )
/** The columns that the tests read: if the order's index has all of them, the rows are not read. */
const columnsRead = (tests: readonly string[]) => tested.filter((column) => tests.some((test) => test.includes(`z.${column}`)))

/** Names and their search text, all of them in the index of the order. */
const isWalkOfNames = ({ named, oneAccount }: PageOrder, read: readonly string[]) =>
  named && !oneAccount && read.every((column) => column === 'search')

/** Whether more than `most` names begin with the typed text, so that collecting all that contain it is not worth beginning. */
function beginnings({ search = '' }: DomainFilter, most: number, ofOwner: readonly string[], place: Place): string {
  const term = searchTerm(search)
  const tests = [...ofOwner, `z.name >= ${place(term)}::text`, `z.name < ${place(`${term}\u{10ffff}`)}::text`]
  return `(select count(*) > ${most} from (select from zones z where ${where(tests)} limit ${most + 1}) z)`
}

const ownerTests = (owner: string | null): string[] => (owner === null ? [] : [`z.owner_id = ${owner}`])

/** SQL for the first rows of an order after those that `after` excludes, with their sort value. */
function orderedSql(
  query: PageQuery,
  limit: string,
  order: PageOrder,
  owner: string | null,
  after: readonly string[],
  columns: string,
): string {
  const orderBy = orderSql(order, query.sort, 'z', order.key)
  return `select ${columns}, ${order.key} as key from zones z where ${where(ownerTests(owner), after)} order by ${orderBy} limit ${limit}`
}

/**
 * SQL for the ids of one owner's page, or of everybody's (`owner` null) in name order. With many matches the order's index is fastest, with
 * few matches the filter's. The planner guesses wrong for values that are common for one owner and rare for another, so the statement finds
 * out at run time: a bounded walk in order; if it does not fill the page, the matches are collected and sorted; if there are too many, a
 * walk to the end fills the page soon.
 */
function pageSql(query: PageQuery, limit: string, forced: Effort | null, part: Part, owner: string | null, place: Place): string {
  const { filter, sort } = query
  const order = orderOf(query, part)
  const orderBy = orderSql(order, sort, 'z', order.key)
  const after = afterTests(query, order, place)
  const found = `z.id, z.name, ${order.key} as key`
  const row = conditions(filter, 'row', part, owner, place)
  if (row.length === 0) return orderedSql(query, limit, order, owner, after, 'z.id, z.name')

  const walkStart = [...ownerTests(owner), ...after, ...walkTests(query, order, place)]
  const read = columnsRead(row)
  const held = heldBy[sort.by] ?? []
  const effort =
    forced ??
    effortOf(
      read.filter((column) => !held.includes(column)),
      isTyped(filter) || (filter.email ?? '') !== '',
      order.named && !order.oneAccount,
    )
  const theirs = () => owner ?? `any(${place(part.owners)}::uuid[])`
  // Shared zones have no counts of their own.
  const counted = part.shared === null ? dimTest(filter, 'c') : ''
  const beside = (into: Place) => conditions(besideDims(filter), 'row', part, owner, into)
  const countsAll = beside(() => '').length === 0

  const known = () => `known as materialized (select coalesce(sum(n), 0) as n from ${countsSql(theirs(), 0, ` and ${counted}`)} c),`
  const rare = counted === '' ? 'false' : `(select n <= ${effort.known} from known)`
  const collectable = counted === '' || !countsAll ? 'true' : `(select n < ${effort.collect} from known)`
  const common = read.length === 1 && isWalkOfNames(order, read) ? beginnings(filter, effort.collect, ownerTests(owner), place) : null
  const walked = (end: string) => `select z.id, z.name, z.key from (
      select ${[...read.map((column) => `z.${column}`), found].join(', ')} from zones z where ${where(walkStart)} order by ${orderBy} ${end}
    ) z where ${where(row)}`
  const matches = `select ${found} from zones z where ${where(conditions(filter, 'indexed', part, owner, place), after)}`
  const rareMatches = () => {
    const others = [...beside(place), ...after].map((test) => `(${test}) is true`)
    return ` union all select g.* from (select ${found} from zones z where ${where(`z.owner_id = ${theirs()}`, dimPlaces(filter, theirs()), others)} offset 0) g where ${rare}`
  }
  const collected = `(select g.* from (${matches} offset 0) g where (select it from few) limit ${effort.collect})${counted === '' || countsAll ? '' : rareMatches()}`
  return `(with ${counted === '' ? '' : known()}
    walk as materialized (${walked(`limit ${effort.walk}`)} and not ${rare} limit ${limit}),
    filled as materialized (select count(*) >= ${limit} as it from walk),
    few as materialized (select case when ${rare} then ${countsAll} when (select it from filled) then false
      else ${collectable}${common === null ? '' : ` and not ${common}`} end as it),
    gathered as materialized (${collected}),
    whole as materialized (select ${rare} or ((select it from few) and count(*) < ${effort.collect}) as it from gathered)
    select * from walk where (select it from filled)
    union all
    select * from (select * from gathered g where (select it from whole) order by ${orderSql(order, sort, 'g', 'g.key')} limit ${limit}) sorted
    union all
    select * from (${walked('')} limit ${limit}) z where not (select it from filled) and not (select it from whole))`
}

/** Whether the page is the beginning of one index, without any test of its rows. */
const isOneWalk = (query: PageQuery, part: Part): boolean =>
  (part.everybody ? isOfNames(orderOf(query, part)) : part.owners.length === 1) &&
  conditions(query.filter, 'row', part, part.everybody ? null : '', () => '').length === 0

/** `select id, name, key` of all owners' pages; the caller sorts and limits. */
function ownedSql(owners: Owners, filter: DomainFilter, place: Place, page: (owner: string) => string): string {
  if (owners.length === 1) return page(`${place(owners[0])}::uuid`)
  // An owner of none of the wanted accounts and groups has no match, which a walk would find out at the end.
  const asked = (['accounts', 'groups'] as const).flatMap((table) => {
    const ids = filter[table === 'accounts' ? 'accountIds' : 'groupIds']
    return given(ids) ? [`o.id = any(array(select owner_id from ${table} where id = any(${place(ids)}::uuid[])))`] : []
  })
  const email = emailTest(filter, owners, place)
  const tests = [...asked, ...(email === null ? [] : [`o.id = any(array(select a.owner_id from accounts a where ${email}))`])]
  const wanted = `unnest(${place(owners)}::uuid[]) o(id)`
  return `select p.* from ${tests.length === 0 ? wanted : `(select o.id from ${wanted} where ${where(tests)} offset 0) o`} cross join lateral (${page('o.id')}) p`
}

/** Text that more of the first names have than one in this many is too common to be collected. */
const rareShare = 50

/** The page of everybody's: text mostly matches few rows, which are found together instead of one owner after the other. */
function everybodySql(query: PageQuery, limit: string, forced: Effort | null, part: Part, place: Place): string {
  const { filter, sort } = query
  const order = orderOf(query, part)
  if (isOfNames(order)) return pageSql(query, limit, forced, part, null, place)
  const apart = ownedSql(part.owners, filter, place, (owner) => pageSql(query, limit, forced, part, owner, place))
  if (!isTyped(filter)) return apart
  const { walk, collect } = forced ?? efforts.texts
  const texts = textConditions(filter, 'row', null, place)
  const sample = `select ${columnsRead(texts)
    .map((column) => `z.${column}`)
    .join(', ')} from zones z order by z.name, z.id limit ${walk}`
  const matches = `select z.id, z.name, ${order.key} as key from zones z where ${where(conditions(filter, 'indexed', part, null, place), afterTests(query, order, place))}`
  return `(with few as materialized (select count(*) * ${rareShare} <= ${walk} as it from (${sample}) z where ${where(texts)}),
    gathered as materialized (select g.* from (${matches} offset 0) g where (select it from few) limit ${collect}),
    whole as materialized (select (select it from few) and count(*) < ${collect} as it from gathered)
    select * from (select * from gathered g where (select it from whole) order by ${orderSql(order, sort, 'g', 'g.key')} limit ${limit}) sorted
    union all
    select * from (${apart}) p where not (select it from whole))`
}

/** The statement of a keyset page: the rows after `after`, or the first ones. */
export function pageStatement(
  scope: AccessScope,
  query: PageQuery & { readonly limit: number },
  shape: RowShape<unknown> = wholeRow,
  effort: Effort | null = null,
): { readonly text: string; readonly parameters: unknown[] } {
  const { parameters, place } = statement()
  // A literal instead of a parameter: for an unknown limit a generic plan assumes a tenth of all rows.
  const limit = String(query.limit)
  const { direction } = query.sort
  const order = `p.key ${direction}, p.name ${direction}, p.id ${direction}`
  const parts = partsOf(scope)
  const [only] = parts
  if (only !== undefined && parts.length === 1 && isOneWalk(query, only)) {
    // Every row of the walk is on the page, so none needs to be found again by its id.
    const owner = only.everybody ? null : `${place(only.owners[0])}::uuid`
    const walk = orderOf(query, only)
    const page = orderedSql(query, limit, walk, owner, afterTests(query, walk, place), 'z.*')
    return { text: `select ${shape.columns} from (${page}) z ${shape.joined} order by ${order.replaceAll('p.', 'z.')}`, parameters }
  }
  const page = parts
    .map((part) =>
      part.everybody
        ? everybodySql(query, limit, effort, part, place)
        : ownedSql(part.owners, query.filter, place, (each) => pageSql(query, limit, effort, part, each, place)),
    )
    .map((sql, _index, { length }) => (length === 1 ? sql : `(${sql})`))
    .join(' union all ')
  const text = `select ${shape.columns} from (select * from (${page}) p order by ${order} limit ${limit}) p
    join zones z on z.id = p.id ${shape.joined} order by ${order}`
  return { text, parameters }
}
