import { eq, inArray, or } from 'drizzle-orm'
import { z } from 'zod'
import { dimNames, dimNumbers, dims } from '#shared/features/domains/dims.ts'
import type { Domain, DomainFilter, DomainSort } from '#shared/features/domains/schema.ts'
import type { Database } from '#server/db/client.ts'
import { askTogether } from '#server/platform/ask-together.ts'
import { batchLookups } from '#server/platform/batch-lookups.ts'
import { accounts, groups, users, zones, zoneSettings, zoneSsl } from '#server/db/schema/index.ts'
import type { Reach, SharedReach } from '#server/platform/reach.ts'
import { personLabelSql } from '#server/db/columns.ts'
import { addressTests } from './address-tests.ts'
import type { DomainKey } from './domain-cursor.ts'
import { searchTerm } from '../domain-name.ts'

type Owners = readonly string[]

/** Collects a statement's parameters as its text is written. */
export type Place = (value: unknown) => string

const sortable: Record<DomainSort['by'], { readonly expression: string; readonly type: string }> = {
  name: { expression: 'z.name', type: 'text' },
  status: { expression: '(z.dims & 3)', type: 'int' },
  sslMode: { expression: '((z.dims >> 2) & 7)', type: 'int' },
  securityLevel: { expression: '((z.dims >> 7) & 7)', type: 'int' },
  health: { expression: '((z.dims >> 13) & 3)', type: 'int' },
  account: { expression: 'z.account_email', type: 'text' },
  recordsCount: { expression: 'coalesce(z.records_count, -1)', type: 'int' },
  paidUntil: { expression: "coalesce(z.paid_until, 'infinity')", type: 'timestamptz' },
  createdAt: { expression: 'coalesce(z.provider_created_at, z.created_at)', type: 'timestamptz' },
  updatedAt: { expression: 'coalesce(z.provider_modified_at, z.created_at)', type: 'timestamptz' },
}

/** The filter that pins a sort's own value: the order's index then starts at the first match. */
const pinnedBy = { status: 'status', sslMode: 'ssl', securityLevel: 'securityLevel', health: 'health' } as const

/** What the order's index has beside `dims`. */
const heldBy: Partial<Record<DomainSort['by'], readonly string[]>> = { paidUntil: ['registrar_id', 'paid_until'] }

const like = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Text PostgreSQL cannot store is in no row. */
const unstorable = (text: string) => text.includes('\0')

/** A whole email is that account's; a part of one may stand anywhere in it. */
function emailPattern(typed: string): string {
  const text = like(typed.toLowerCase())
  return z.email().safeParse(typed).success ? text : `%${text}%`
}

/** How many rows in order are tried one by one before the matches are gathered and sorted, and how many are gathered at most. */
export interface Effort {
  readonly walk: number
  readonly gather: number
  /** Where the counts say that no more than these can match, they are gathered at once. */
  readonly known: number
}
/** A row that is tested in the order's index alone costs a tenth of one that has to be read, by walking or by gathering. */
const efforts = {
  rows: { walk: 2_000, gather: 8_000, known: 500 },
  /** What people type is mostly rare. */
  texts: { walk: 1_000, gather: 8_000, known: 500 },
  index: { walk: 10_000, gather: 8_000, known: 500 },
  /** Names beside their search texts: the whole index is read sooner than a tenth of the rows. */
  names: { walk: 4_000, gather: 500, known: 500 },
} as const satisfies Record<string, Effort>

/** What the order's index holds decides how far walking pays. */
function effortOf(tested: readonly string[], typed: boolean, named: boolean): Effort {
  const others = tested.filter((column) => column !== 'dims')
  if (others.length === 0) return efforts.index
  if (named && others.every((column) => column === 'search')) return efforts.names
  return typed ? efforts.texts : efforts.rows
}

/** Text as a lexeme of a `tsquery`. */
const lexeme = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** What the index `zones_terms` is asked: enough runs of three characters to cover the term, or the beginning of one. */
function gramsOf(term: string): string {
  const characters = Array.from(term)
  if (characters.length < 3) return `${lexeme(term)}:*`
  const starts = [...Array(Math.floor(characters.length / 3)).keys()].map((index) => index * 3)
  if (characters.length % 3 !== 0) starts.push(characters.length - 3)
  return [...new Set(starts.map((start) => lexeme(characters.slice(start, start + 3).join(''))))].join(' & ')
}

/** Whether a test is of a row at hand, or in words that an index answers. */
type Use = 'row' | 'indexed'

/** The searches in texts on a zone `z`; `owner`: SQL for whose zones alone are wanted, null where they are many people's. */
export function textConditions(filter: DomainFilter, use: Use, owner: string | null, place: Place): string[] {
  const search = searchTerm(filter.search ?? '')
  if (unstorable(search)) return ['false']
  const tests: string[] = []
  if (search !== '' && use === 'indexed') {
    const theirs = owner === null ? '' : ` && (E'''\\u0001' || ${owner} || '''')::tsquery`
    tests.push(`zone_terms(z.owner_id, z.search) @@ (${place(gramsOf(search))}::tsquery${theirs})`)
  }
  // Up to three characters the index answers exactly.
  if (search !== '' && (use === 'row' || Array.from(search).length > 3)) tests.push(`z.search like ${place(`%${like(search)}%`)}::text`)
  tests.push(...addressTests(filter.ip ?? '', use, place))
  return tests
}

/** A filter's test of the packed values in `alias`; empty where it has none. */
export const dimTest = (filter: DomainFilter, alias: string): string =>
  dimNames
    .flatMap((name) => {
      const value = filter[name]
      return value === undefined
        ? []
        : [`((${alias}.dims >> ${dims[name].shift}) & ${dims[name].mask}) in (${dimNumbers(name, value).join(', ')})`]
    })
    .join(' and ')

/** The counts of one kind with what was appended to them since; sums over both are true. */
export function countsSql(owners: string, kind: number, tests: string): string {
  const from = (table: string) => `select c.key, c.dims, c.n from ${table} c where c.owner_id = ${owners} and c.kind = ${kind}${tests}`
  return `(${from('zone_counts')} union all ${from('zone_count_changes')})`
}

/** The packed values that exist and pass are few, and each is an exact place in an index. */
const dimPlaces = (filter: DomainFilter, owners: string) =>
  `z.dims = any(array(select c.dims from ${countsSql(owners, 0, ` and ${dimTest(filter, 'c')}`)} c))`

/** The filter without what `dims` packs. */
const besideDims = (filter: DomainFilter): DomainFilter => Object.fromEntries(Object.entries(filter).filter(([name]) => !(name in dims)))

const given = (list: readonly unknown[] | undefined) => list !== undefined && list.length > 0

const paidTests = ({ paidUntil }: DomainFilter, place: Place): string[] => {
  if (paidUntil === undefined) return []
  const { expression } = sortable.paidUntil
  if (paidUntil === 'over') return [`${expression} < now()`]
  return [`${expression} >= now() and ${expression} < now() + ${place(paidUntil)}::int * interval '1 day'`]
}

/** A filter's tests of where and until when a zone `z` was bought, which is told of nobody else's; empty where it has none. */
export function registrarTests(filter: DomainFilter, shared: SharedReach | null, place: Place): string[] {
  const { registrarIds, registrar, paidUntil } = filter
  if (shared !== null) return given(registrarIds) || registrar !== undefined || paidUntil !== undefined ? ['false'] : []
  const sold = [
    ...(given(registrarIds) ? [`z.registrar_id = any(${place(registrarIds)}::uuid[])`] : []),
    ...(registrar === undefined ? [] : ['z.registrar_id is null']),
  ]
  return [...(sold.length > 1 ? [`(${sold.join(' or ')})`] : sold), ...paidTests(filter, place)]
}

/** Whether the test that leads has many owners' zones in one place of its index. */
const ownerLeads = ({ registrar, paidUntil }: DomainFilter) => registrar !== undefined || paidUntil !== undefined

/** Of some people: everything, or where it says so only what they share. */
interface Part {
  readonly owners: Owners
  readonly shared: SharedReach | null
}

/** What a person sees: first what is theirs, then what others share with them. */
export const partsOf = ({ owners, shared }: Reach): readonly Part[] => [
  ...(owners.length === 0 ? [] : [{ owners, shared: null }]),
  ...(shared === null ? [] : [{ owners: shared.owners, shared }]),
]

/** Of what is attached to nothing it is not known until when it is paid, and of what is somebody else's it is not told: then only names are sorted. */
const unknownPaid = "'infinity'::timestamptz"
const keySql = ({ by }: DomainSort, { registrar, registrarIds }: DomainFilter, { shared }: Part): string =>
  by === 'paidUntil' && (shared !== null || (registrar !== undefined && !given(registrarIds))) ? unknownPaid : sortable[by].expression

/** A test that each of two indexes answers a half of. */
const inShared = ({ accountIds, groupIds }: SharedReach, alias: string, place: Place): string => {
  const tests = [
    ...(accountIds.length === 0 ? [] : [`${alias}.account_id = any(${place(accountIds)}::uuid[])`]),
    ...(groupIds.length === 0 ? [] : [`${alias}.group_id = any(${place(groupIds)}::uuid[])`]),
  ]
  return tests.length === 1 ? (tests[0] ?? 'false') : `(${tests.join(' or ')})`
}

/** Whether the person sees the zone `z`. */
const inReach = ({ owners, shared }: Reach, place: Place): string => {
  const owned = `z.owner_id = any(${place(owners)}::uuid[])`
  return shared === null ? owned : `(${owned} or ${inShared(shared, 'z', place)})`
}

/**
 * A filter's tests of a zone `z` together with its owner's. With `indexed`, those of the narrowest kind are in words that an
 * index answers and the others in words that none does: left to choose, the planner reads a whole index for a common value
 * only to intersect it with a handful of rows.
 */
function conditions(filter: DomainFilter, use: Use, { owners, shared }: Part, owner: string | null, place: Place): string[] {
  const text = textConditions(filter, use, owner, place)
  const tests = [...text, ...(shared === null ? [] : [inShared(shared, 'z', place)])]
  if (given(filter.accountIds)) tests.push(`z.account_id = any(${place(filter.accountIds)}::uuid[])`)
  if (given(filter.groupIds)) tests.push(`z.group_id = any(${place(filter.groupIds)}::uuid[])`)
  tests.push(...registrarTests(filter, shared, place))
  if (filter.email !== undefined && filter.email !== '') {
    tests.push(
      unstorable(filter.email)
        ? 'false'
        : `z.account_id = any(array(select a.id from accounts a where a.owner_id = any(${place(owners)}::uuid[]) and lower(a.email) like ${place(emailPattern(filter.email))}::text))`,
    )
  }
  if (use === 'indexed' && text.length > 0)
    for (let index = text.length; index < tests.length; index += 1) tests[index] = `(${tests[index]}) is true`
  const dimmed = dimNames.some((name) => filter[name] !== undefined)
  const led = use === 'indexed' && tests.length > 0 && !(text.length > 0 && dimmed)
  if (dimmed) {
    tests.push(use === 'row' || led ? dimTest(filter, 'z') : dimPlaces(filter, owner ?? `any(${place(owners)}::uuid[])`))
  }
  if (use === 'row') return tests
  const owned = owner === null ? `z.owner_id = any(${place(owners)}::uuid[])` : `z.owner_id = ${owner}`
  return [led && (text.length > 0 || !ownerLeads(filter)) ? `(${owned}) is true` : owned, ...tests]
}

const where = (...tests: (string | readonly string[])[]) => tests.flat().join(' and ')

interface PageQuery {
  readonly filter: DomainFilter
  readonly sort: DomainSort
  readonly after: DomainKey | null
}

/**
 * SQL for the ids of one owner's page. Where a filter leaves many rows, the order's index finds them soonest; where it
 * leaves few, the filter's does. The planner guesses wrong between the two for values that are common for one owner and
 * rare for another, so the statement finds out: a bounded walk in order; did it not fill the page, the matches are
 * gathered and sorted; are they too many for that, then a walk to the end will meet enough of them soon.
 */
function pageSql(query: PageQuery, limit: string, forced: Effort | null, part: Part, owner: string, place: Place): string {
  const { filter, sort, after } = query
  // All zones of one account have its email: their order is the name's.
  const oneAccount = filter.accountIds?.length === 1 && (sort.by === 'account' || sort.by === 'name')
  const { type } = sortable[sort.by]
  const key = keySql(sort, filter, part)
  const named = sort.by === 'name' || oneAccount || key === unknownPaid
  const order = (prefix: string, keyName: string) =>
    (named ? [`${prefix}.name`, `${prefix}.id`] : [`${prefix}.${keyName}`, `${prefix}.name`, `${prefix}.id`])
      .map((column) => `${column} ${sort.direction}`)
      .join(', ')
  const orderBy = named ? order('z', 'name') : `${key} ${sort.direction}, ${order('z', 'name').split(', ').slice(1).join(', ')}`
  const start: string[] = [`z.owner_id = ${owner}`]
  if (after !== null && key === unknownPaid && after.value !== 'infinity') {
    // Behind all that is known, or before.
    if (sort.direction === 'desc') start.push('false')
  } else if (after !== null) {
    const compare = sort.direction === 'asc' ? '>' : '<'
    start.push(
      named
        ? `(z.name, z.id) ${compare} (${place(after.name)}::text, ${place(after.id)}::uuid)`
        : `(${key}, z.name, z.id) ${compare} (${place(after.value)}::${type}, ${place(after.name)}::text, ${place(after.id)}::uuid)`,
    )
  }
  const found = `z.id, z.name, ${key} as key`
  const row = conditions(filter, 'row', part, owner, place)
  if (row.length === 0) return `select ${found} from zones z where ${where(start)} order by ${orderBy} limit ${limit}`

  const walkStart = [...start]
  // Of names without a form in another script none has such letters; those with one have an index of their own.
  if (named && !oneAccount && /[^\0-\x7f]/.test(searchTerm(filter.search ?? ''))) walkStart.push('z.search <> z.name')
  if (oneAccount && filter.accountIds !== undefined) walkStart.push(`z.account_id = ${place(filter.accountIds[0])}::uuid`)
  if (sort.by in pinnedBy) {
    const name = pinnedBy[sort.by as keyof typeof pinnedBy]
    const value = filter[name]
    const numbers = value === undefined ? [] : dimNumbers(name, value)
    if (numbers.length === 1) walkStart.push(`${key} = ${numbers[0]}`)
    else if (numbers.length > 1) walkStart.push(`${key} >= ${Math.min(...numbers)}`)
  }
  if (sort.by === 'paidUntil') walkStart.push(...paidTests(filter, place))
  // Only what the tests read: where the order's index has all of it, the rows themselves stay unread.
  const read = ['dims', 'search', 'addresses', 'account_id', 'group_id', 'registrar_id', 'paid_until'].filter((column) =>
    row.some((test) => test.includes(`z.${column}`)),
  )
  const typed = [filter.search, filter.ip, filter.email].some((text) => text !== undefined && text !== '')
  const effort =
    forced ??
    effortOf(
      read.filter((column) => !(heldBy[sort.by] ?? []).includes(column)),
      typed,
      named && !oneAccount,
    )
  // What is shared has no counts of its own.
  const counted = part.shared === null ? dimTest(filter, 'c') : ''
  const rare = counted === '' ? 'false' : `(select n <= ${effort.known} from known)`
  const beside = (into: Place) => conditions(besideDims(filter), 'row', part, owner, into)
  const alone = beside(() => '').length === 0
  const walked = (end: string) => `select z.id, z.name, z.key from (
      select ${[...read.map((column) => `z.${column}`), found].join(', ')} from zones z where ${where(walkStart)} order by ${orderBy} ${end}
    ) z where ${where(row)}`
  const gathering = `select ${found} from zones z where ${where(conditions(filter, 'indexed', part, owner, place), start.slice(1))}`
  const rarely =
    counted === '' || alone
      ? ''
      : ` union all select g.* from (select ${found} from zones z where ${where(
          `z.owner_id = ${owner}`,
          dimPlaces(filter, owner),
          [...beside(place), ...start.slice(1)].map((test) => `(${test}) is true`),
        )} offset 0) g where ${rare}`
  return `(with ${counted === '' ? '' : `known as materialized (select coalesce(sum(n), 0) as n from ${countsSql(owner, 0, ` and ${counted}`)} c),`}
    walk as materialized (${walked(`limit ${effort.walk}`)} and not ${rare} limit ${limit}),
    filled as materialized (select count(*) >= ${limit} as it from walk),
    few as materialized (select case when ${rare} then ${alone} when (select it from filled) then false
      else ${counted === '' || !alone ? 'true' : `(select n < ${effort.gather} from known)`} end as it),
    gathered as materialized ((select g.* from (${gathering} offset 0) g where (select it from few) limit ${effort.gather})${rarely}),
    whole as materialized (select ${rare} or ((select it from few) and count(*) < ${effort.gather}) as it from gathered)
    select * from walk where (select it from filled)
    union all
    select * from (select * from gathered g where (select it from whole) order by ${order('g', 'key')} limit ${limit}) sorted
    union all
    select * from (${walked('')} limit ${limit}) z where not (select it from filled) and not (select it from whole))`
}

const columns = `z.id, z.owner_id, z.account_id, z.group_id, z.zone_id, z.name, z.search, z.status, z.provider_status, z.paused, z.type, z.plan,
  z.name_servers, z.ssl_mode, z.tls_min, z.https, z.hsts, z.security_level, z.development_mode, z.records_count, z.proxied_count,
  z.origin_ips, z.health, z.tracker_type, z.phishing, z.provider_created_at, z.provider_modified_at, z.created_at, z.gone_at, z.listed_at,
  z.dims,
  coalesce(z.wanted_at is null and least(z.records_due_at, z.settings_due_at) <= now(), false) as unread, z.account_email as account_sort, a.email as account_email, a.name as account_name, g.name as group_name, g.color as group_color, g.icon as group_icon,
  z.registrar_id, r.name as registrar_name, z.paid_until, z.paid_by_registry, z.auto_renew,
  case when z.paid_by_registry then (select e.read_at from registry_names e where e.name = z.name)
    when z.paid_until is not null then (select n.seen_at from registrar_names n where n.registrar_id = z.registrar_id and n.name = z.name)
  end as paid_read_at`

export interface DomainRow {
  id: string
  ownerId: string
  accountId: string
  groupId: string | null
  zoneId: string
  name: string
  search: string
  status: Domain['status']
  providerStatus: string
  paused: boolean
  type: string
  plan: string | null
  nameServers: string[]
  sslMode: string | null
  tlsMin: string | null
  https: boolean | null
  hsts: boolean | null
  securityLevel: string | null
  developmentMode: number
  recordsCount: number | null
  proxiedCount: number
  originIps: string[]
  health: Domain['health']
  trackerType: string | null
  phishing: boolean
  providerCreatedAt: string | null
  providerModifiedAt: string | null
  createdAt: string
  goneAt: string | null
  listedAt: string
  dims: number
  /** Records or settings are due, and nobody asked for them yet. */
  unread: boolean
  accountSort: string
  accountEmail: string
  accountName: string | null
  groupName: string | null
  groupColor: string | null
  groupIcon: string | null
  registrarId: string | null
  registrarName: string | null
  paidUntil: string | null
  paidByRegistry: boolean
  paidReadAt: string | null
  autoRenew: boolean | null
}

export const statement = () => {
  const parameters: unknown[] = []
  const place: Place = (value) => {
    const known = typeof value === 'object' ? parameters.indexOf(value) : -1
    return `$${known < 0 ? parameters.push(value) : known + 1}`
  }
  return { parameters, place }
}
const run = <T extends object>(db: Database, text: string, parameters: unknown[]) =>
  db.sql.unsafe<T[]>(text, parameters as never[], { prepare: true })

/** `select id, name, key` of all owners' pages; the caller sorts and cuts. */
function ownedSql(owners: Owners, place: Place, page: (owner: string) => string): string {
  if (owners.length === 1) return page(`${place(owners[0])}::uuid`)
  return `select p.* from unnest(${place(owners)}::uuid[]) o(id) cross join lateral (${page('o.id')}) p`
}

/** The statement of a page by key set: the rows behind `after`, or the first ones. */
export function pageStatement(
  reach: Reach,
  query: PageQuery & { readonly limit: number },
  effort: Effort | null = null,
): { readonly text: string; readonly parameters: unknown[] } {
  const { parameters, place } = statement()
  // Written out, not a parameter: the plan that serves every value reckons with a tenth of all rows for an unknown limit.
  const limit = String(query.limit)
  const page = partsOf(reach)
    .map((part) => ownedSql(part.owners, place, (owner) => pageSql(query, limit, effort, part, owner, place)))
    .map((sql, _index, { length }) => (length === 1 ? sql : `(${sql})`))
    .join(' union all ')
  const { direction } = query.sort
  const order = `p.key ${direction}, p.name ${direction}, p.id ${direction}`
  const text = `select ${columns} from (select * from (${page}) p order by ${order} limit ${limit}) p
    join zones z on z.id = p.id join accounts a on a.id = z.account_id left join groups g on g.id = z.group_id left join registrars r on r.id = z.registrar_id order by ${order}`
  return { text, parameters }
}

export async function listPage(
  db: Database,
  reach: Reach,
  query: PageQuery & { readonly limit: number },
  effort?: Effort,
): Promise<DomainRow[]> {
  if (partsOf(reach).length === 0) return []
  const { text, parameters } = pageStatement(reach, query, effort)
  return pages(db, JSON.stringify([text, parameters]), () =>
    db.steadySql.unsafe<DomainRow[]>(text, parameters as never[], { prepare: true }),
  )
}

/** News make all who look at a list ask for it anew in the same moment. */
const pages = askTogether<DomainRow[]>()

/** Ids by index in the order, for ranges and jumps. `limit` null: to the end. */
export async function listIds(
  db: Database,
  reach: Reach,
  query: { readonly filter: DomainFilter; readonly sort: DomainSort; readonly offset: number; readonly limit: number },
): Promise<string[]> {
  const parts = partsOf(reach)
  if (parts.length === 0) return []
  const { parameters, place } = statement()
  const testsOf = (part: Part) => {
    const { owners } = part
    return where(conditions(query.filter, 'indexed', part, owners.length === 1 ? `${place(owners[0])}::uuid` : null, place))
  }
  const [only, ...others] = parts
  const alone = only !== undefined && others.length === 0
  const source = alone
    ? `zones z where ${testsOf(only)}`
    : `(${parts.map((part) => `select z.id, z.name, ${keySql(query.sort, query.filter, part)} as key from zones z where ${testsOf(part)}`).join(' union all ')}) z`
  const key = alone ? keySql(query.sort, query.filter, only) : 'z.key'
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

/** These zones, in the order of `ids`; absent where they are somebody else's or gone. */
export async function listByIds(db: Database, reach: Reach, ids: readonly string[]): Promise<DomainRow[]> {
  if (partsOf(reach).length === 0 || ids.length === 0) return []
  const { parameters, place } = statement()
  return run<DomainRow>(
    db,
    `select ${columns} from unnest(${place(ids)}::uuid[]) with ordinality i(id, place)
    join zones z on z.id = i.id and ${inReach(reach, place)} join accounts a on a.id = z.account_id left join groups g on g.id = z.group_id left join registrars r on r.id = z.registrar_id
    order by i.place`,
    parameters,
  )
}

/** One zone, whoever it belongs to. */
export async function findRow(db: Database, id: string): Promise<DomainRow | null> {
  const [row] = await run<DomainRow>(
    db,
    `select ${columns} from zones z join accounts a on a.id = z.account_id left join groups g on g.id = z.group_id left join registrars r on r.id = z.registrar_id where z.id = $1::uuid`,
    [id],
  )
  return row ?? null
}

/** Names that begin with `term`, shortest way through the index of names; at most `limit` an owner. */
export async function listByPrefix(db: Database, reach: Reach, term: string, limit: number) {
  const parts = partsOf(reach)
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

export interface NamedRow {
  id: string
  name: string
  search: string
  accountId: string
  accountEmail: string
  ownerId: string
  status: Domain['status']
  gone: boolean
}

/** The zones of each name; where several accounts have one, first those that are still there, the active one before all. */
export async function listByNames(db: Database, reach: Reach, names: readonly string[]): Promise<NamedRow[]> {
  if (partsOf(reach).length === 0 || names.length === 0) return []
  const { parameters, place } = statement()
  const people = [...new Set([...reach.owners, ...(reach.shared?.owners ?? [])])]
  return run<NamedRow>(
    db,
    `select z.id, z.name, z.search, z.account_id, a.email as account_email, z.owner_id, z.status, z.gone_at is not null as gone
    from unnest(${place(names)}::text[]) n(name) cross join unnest(${place(people)}::uuid[]) o(id)
    join zones z on z.owner_id = o.id and z.name = n.name${reach.shared === null ? '' : ` and ${inReach(reach, place)}`} join accounts a on a.id = z.account_id
    order by z.name, gone, z.status, a.email, z.id`,
    parameters,
  )
}

/** Everybody who has accounts; an administrator's view goes over all of them. */
export async function listOwners(db: Database): Promise<string[]> {
  const rows = await db.sql<{ ownerId: string }[]>`select distinct owner_id from accounts`
  return rows.map((row) => row.ownerId)
}

/** Of the accounts (all, or those given) the ones that the email filter means. */
export async function listAccountIds(
  db: Database,
  { owners, shared }: Reach,
  email: string,
  within: readonly string[] | null,
): Promise<string[]> {
  if (unstorable(email)) return []
  const rows = await run<{ id: string }>(
    db,
    `select id from accounts where owner_id = any($1::uuid[]) and lower(email) like $2::text and ($3::uuid[] is null or id = any($3::uuid[]))`,
    // Of those who share something all of them: what they do not share has no zones in reach.
    [[...owners, ...(shared?.owners ?? [])], emailPattern(email), within],
  )
  return rows.map((row) => row.id)
}

/** Those of the owners, and these others. */
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

/** What `sync` keeps of the provider's answer; written by this program, but by any version of it. */
const writtenDetails = z.object({
  account: z
    .object({ id: z.string(), name: z.string().nullable().catch(null) })
    .nullable()
    .catch(null),
  originalNameServers: z.array(z.string()).catch([]),
  originalRegistrar: z.string().nullable().catch(null),
  originalDnsHost: z.string().nullable().catch(null),
  verificationKey: z.string().nullable().catch(null),
  cnameSuffix: z.string().nullable().catch(null),
  vanityNameServers: z.array(z.string()).catch([]),
  pageRuleQuota: z.int().nullable().catch(null),
  customCertificateQuota: z.int().nullable().catch(null),
})
const writtenSettings = z
  .record(z.string(), z.object({ value: z.unknown(), editable: z.boolean().catch(false), modifiedOn: z.string().nullable().catch(null) }))
  .catch({})
const writtenCertificates = z.array(z.object({ state: z.string(), expiresAt: z.string().nullable() })).catch([])

interface DetailsRow extends DomainRow {
  details: unknown
  activatedAt: string | null
  recordsReadAt: string | null
  recordsChangedAt: string | null
  settingsReadAt: string | null
  pageRulesUsed: number | null
  universalEnabled: boolean | null
  certificates: unknown
  sslReadAt: string | null
}

/** Everything that is kept of zones but their records and settings, whoever they belong to. */
export const detailsStatement = (ids: readonly string[]) => ({
  text: `select ${columns}, z.details, z.activated_at, z.records_read_at, z.settings_read_at, s.page_rules_used,
      (select h.at from zone_changes h where h.zone_id = z.id and h.subject = 'record' order by h.at desc, h.id desc limit 1)
        as records_changed_at,
      c.universal_enabled, c.certificates, c.read_at as ssl_read_at
    from unnest($1::uuid[]) k(id) join zones z on z.id = k.id
    join accounts a on a.id = z.account_id left join groups g on g.id = z.group_id left join registrars r on r.id = z.registrar_id
    left join zone_settings s on s.zone_id = z.id left join zone_ssl c on c.zone_id = z.id`,
  parameters: [ids],
})

/** What many ask for in the same moment is one statement. */
function createDetailsLookup(db: Database) {
  return batchLookups(async (ids) => {
    const { text, parameters } = detailsStatement(ids)
    const rows = await run<DetailsRow>(db, text, parameters)
    return new Map(rows.map((row) => [row.id, row]))
  })
}
const detailsLookups = new WeakMap<Database, ReturnType<typeof createDetailsLookup>>()

/** With what lists leave out, whoever it belongs to; null where it is gone. */
export async function findDetails(db: Database, id: string) {
  const lookup = detailsLookups.get(db) ?? createDetailsLookup(db)
  detailsLookups.set(db, lookup)
  const row = await lookup(id.toLowerCase())
  if (row === undefined) return null
  const { account, ...details } = writtenDetails.parse(row.details)
  return { row, details: { ...details, providerAccount: account }, certificates: writtenCertificates.parse(row.certificates ?? []) }
}

/** The settings of these zones as last read, with whose they are; absent where they are gone. */
export async function listSettings(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db.orm
    .select({
      id: zones.id,
      thing: { ownerId: zones.ownerId, accountId: zones.accountId, groupId: zones.groupId },
      ssl: zones.sslMode,
      minTlsVersion: zones.tlsMin,
      alwaysUseHttps: zones.https,
      hsts: zones.hsts,
      securityLevel: zones.securityLevel,
      universalSsl: zoneSsl.universalEnabled,
      developmentMode: zones.developmentMode,
      listedAt: zones.listedAt,
      readAt: zones.settingsReadAt,
      values: zoneSettings.values,
    })
    .from(zones)
    .leftJoin(zoneSettings, eq(zoneSettings.zoneId, zones.id))
    .leftJoin(zoneSsl, eq(zoneSsl.zoneId, zones.id))
    .where(inArray(zones.id, [...ids]))
  return rows.map((row) => ({ ...row, values: writtenSettings.parse(row.values ?? {}) }))
}
