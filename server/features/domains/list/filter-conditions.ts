import { z } from 'zod'
import { dimNames, numbersOfFilter, dims, dimSql } from '#shared/features/domains/dims.ts'
import { packProtection, protectionNumbers } from '#shared/features/domains/protection.ts'
import type { OriginCertificateState } from '#shared/features/domains/origin-certificates/choices.ts'
import { escapeLike } from '#shared/text.ts'
import { trafficDays } from '#shared/features/domains/schema.ts'
import type { DomainFilter, DomainSort } from '#shared/features/domains/schema.ts'
import type { AccessScope, SharedScope } from '#server/platform/access-scope.ts'
import { addressTests } from './address-tests.ts'
import { searchTerm } from '../domain-name.ts'

export type Owners = readonly string[]

/** Collects the parameters of a statement while its text is built. */
export type Place = (value: unknown) => string

export const statement = () => {
  const parameters: unknown[] = []
  const place: Place = (value) => {
    const known = typeof value === 'object' ? parameters.indexOf(value) : -1
    return `$${known < 0 ? parameters.push(value) : known + 1}`
  }
  return { parameters, place }
}

export const sortable: Record<DomainSort['by'], { readonly expression: string; readonly type: string }> = {
  name: { expression: 'z.name', type: 'text' },
  status: { expression: dimSql('status', 'z.dims'), type: 'int' },
  sslMode: { expression: dimSql('ssl', 'z.dims'), type: 'int' },
  securityLevel: { expression: dimSql('securityLevel', 'z.dims'), type: 'int' },
  health: { expression: dimSql('health', 'z.dims'), type: 'int' },
  account: { expression: 'z.account_email', type: 'text' },
  recordsCount: { expression: 'coalesce(z.records_count, -1)', type: 'int' },
  requests: { expression: 'coalesce(z.requests, -1)', type: 'float8' },
  paidUntil: { expression: "coalesce(z.paid_until, 'infinity')", type: 'timestamptz' },
  createdAt: { expression: 'coalesce(z.provider_created_at, z.created_at)', type: 'timestamptz' },
  updatedAt: { expression: 'coalesce(z.provider_modified_at, z.created_at)', type: 'timestamptz' },
}

/** Text that PostgreSQL cannot store matches no row. */
export const unstorable = (text: string) => text.includes('\0')

/** A complete email matches that account; a part of one may occur anywhere in it. */
export function emailPattern(typed: string): string {
  const text = escapeLike(typed.toLowerCase())
  return z.email().safeParse(typed).success ? text : `%${text}%`
}

/** Text as a lexeme of a `tsquery`. */
const lexeme = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** The query for the index `zones_terms`: enough three-character grams to cover the term, or a prefix of one. */
function gramsOf(term: string): string {
  const characters = Array.from(term)
  if (characters.length < 3) return `${lexeme(term)}:*`
  const starts = [...Array(Math.floor(characters.length / 3)).keys()].map((index) => index * 3)
  if (characters.length % 3 !== 0) starts.push(characters.length - 3)
  return [...new Set(starts.map((start) => lexeme(characters.slice(start, start + 3).join(''))))].join(' & ')
}

/** Whether a test checks a row that is already found, or uses an index. */
type Use = 'row' | 'indexed'

/** Text searches on a zone `z`; `owner`: SQL for the only owner of the wanted zones, null if there are several. */
export function textConditions(filter: DomainFilter, use: Use, owner: string | null, place: Place): string[] {
  const search = searchTerm(filter.search ?? '')
  if (unstorable(search)) return ['false']
  const tests: string[] = []
  if (search !== '' && use === 'indexed') {
    const theirs = owner === null ? '' : ` && (E'''\\u0001' || ${owner} || '''')::tsquery`
    tests.push(`zone_terms(z.owner_id, z.search) @@ (${place(gramsOf(search))}::tsquery${theirs})`)
  }
  // The index is exact up to three characters.
  if (search !== '' && (use === 'row' || Array.from(search).length > 3))
    tests.push(`z.search like ${place(`%${escapeLike(search)}%`)}::text`)
  tests.push(...addressTests(filter.ip ?? '', use, place))
  return tests
}

/** The filter's test of the packed values in `alias`; empty if it has none. */
export const dimTest = (filter: DomainFilter, alias: string): string =>
  dimNames
    .flatMap((name) => {
      const value = filter[name]
      return value === undefined
        ? []
        : [`((${alias}.dims >> ${dims[name].shift}) & ${dims[name].mask}) in (${numbersOfFilter(name, value).join(', ')})`]
    })
    .join(' and ')

/** The counts of one kind together with the differences appended since; sums over both are exact. */
export function countsSql(owners: string, kind: number, tests: string): string {
  const from = (table: string) => `select c.key, c.dims, c.n from ${table} c where c.owner_id = ${owners} and c.kind = ${kind}${tests}`
  return `(${from('zone_counts')} union all ${from('zone_count_changes')})`
}

/** Few packed values exist and match, and each is an exact position in an index. */
export const dimPlaces = (filter: DomainFilter, owners: string) =>
  `z.dims = any(array(select c.dims from ${countsSql(owners, 0, ` and ${dimTest(filter, 'c')}`)} c))`

/** The filter without the fields packed in `dims`. */
export const besideDims = (filter: DomainFilter): DomainFilter =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !(name in dims)))

export const given = (list: readonly unknown[] | undefined) => list !== undefined && list.length > 0

export const paidTests = ({ paidUntil }: DomainFilter, place: Place): string[] => {
  if (paidUntil === undefined) return []
  const { expression } = sortable.paidUntil
  if (paidUntil === 'over') return [`${expression} < now()`]
  return [`${expression} >= now() and ${expression} < now() + ${place(paidUntil)}::int * interval '1 day'`]
}

/** The filter's tests of a zone `z` for registrar and paid-until date, which only the owner can see; empty if it has none. */
export function registrarTests(filter: DomainFilter, shared: SharedScope | null, place: Place): string[] {
  const { registrarIds, registrar, paidUntil } = filter
  if (shared !== null) return given(registrarIds) || registrar !== undefined || paidUntil !== undefined ? ['false'] : []
  const sold = [
    ...(given(registrarIds) ? [`z.registrar_id = any(${place(registrarIds)}::uuid[])`] : []),
    ...(registrar === undefined ? [] : ['z.registrar_id is null']),
  ]
  return [...(sold.length > 1 ? [`(${sold.join(' or ')})`] : sold), ...paidTests(filter, place)]
}

/** The filter's test of a zone `z` for bot settings and DNSSEC; null if it has none. */
function protectionTest(filter: DomainFilter, use: Use): string | null {
  const { bits, mask } = packProtection(filter)
  if (mask === 0) return null
  return use === 'row' ? `(z.protection & ${mask}) = ${bits}` : `z.protection = any('{${protectionNumbers(filter).join(',')}}'::int[])`
}

/** Each begins with a range of the index `zones_owner_origin_soon`; what has expired expired soon before. */
const originTests = {
  none: "z.origin_soon_at = 'infinity'",
  valid: "z.origin_soon_at >= now() and z.origin_soon_at < 'infinity'",
  expires_soon: 'z.origin_soon_at < now() and z.origin_expires_at >= now()',
  expired: 'z.origin_soon_at < now() and z.origin_expires_at < now()',
} as const satisfies Record<OriginCertificateState, string>
/** The state of the certificates of Origin CA of a zone `z`. */
export const originStateSql = `case ${Object.entries(originTests)
  .map(([state, test]) => `when ${test} then '${state}'`)
  .join(' ')} end`

/** Each begins with a range of the index `zones_owner_traffic`. */
const trafficTests = {
  some: 'z.requests > 0',
  none: 'z.requests = 0',
  // What was added or activated later cannot have had traffic for so long.
  idle: `z.requests = 0 and coalesce(z.activated_at, z.provider_created_at, z.created_at) < now() - ${trafficDays} * interval '1 day'`,
  ungrouped: 'z.requests > 0 and z.group_id is null',
} as const satisfies Record<NonNullable<DomainFilter['traffic']>, string>

/** Certificates that expire soon or have expired are rarer than any bot setting. */
const isRareOrigin = ({ originCertificate }: DomainFilter) => originCertificate === 'expires_soon' || originCertificate === 'expired'

/**
 * The filter's tests of a zone `z` for bot settings, DNSSEC, certificates of Origin CA and traffic; empty if it has none. With `indexed`, one of them
 * uses its index, which begins with the owner.
 */
export function protectionTests(filter: DomainFilter, use: Use): string[] {
  const { originCertificate, traffic } = filter
  const protection = protectionTest(filter, originCertificate !== undefined && isRareOrigin(filter) ? 'row' : use)
  return [
    ...(protection === null ? [] : [protection]),
    ...(originCertificate === undefined ? [] : [originTests[originCertificate]]),
    ...(traffic === undefined ? [] : [trafficTests[traffic]]),
  ]
}

/** Whether the leading test finds zones of many owners at the same position of its index. */
const ownerLeads = ({ registrar, paidUntil }: DomainFilter) => registrar !== undefined || paidUntil !== undefined

/** The zones of some owners: all of them, or only what they share. */
export interface Part {
  readonly owners: Owners
  readonly shared: SharedScope | null
  /** The owners are all there are. */
  readonly everybody: boolean
}

/** The parts of a user's view: own zones first, then those shared by others. */
export const partsOf = ({ owners, shared, everybody = false }: AccessScope): readonly Part[] => [
  ...(owners.length === 0 ? [] : [{ owners, shared: null, everybody: everybody && owners.length > 1 }]),
  ...(shared === null ? [] : [{ owners: shared.owners, shared, everybody: false }]),
]

/** The paid-until date is unknown for unattached domains and hidden for those of other owners; those sort by name only. */
export const unknownPaid = "'infinity'::timestamptz"
export const keySql = ({ by }: DomainSort, { registrar, registrarIds }: DomainFilter, { shared }: Part): string =>
  by === 'paidUntil' && (shared !== null || (registrar !== undefined && !given(registrarIds))) ? unknownPaid : sortable[by].expression

/** A condition whose halves use one index each. */
export const inShared = ({ accountIds, groupIds }: SharedScope, alias: string, place: Place): string => {
  const tests = [
    ...(accountIds.length === 0 ? [] : [`${alias}.account_id = any(${place(accountIds)}::uuid[])`]),
    ...(groupIds.length === 0 ? [] : [`${alias}.group_id = any(${place(groupIds)}::uuid[])`]),
  ]
  return tests.length === 1 ? (tests[0] ?? 'false') : `(${tests.join(' or ')})`
}

/** Whether the zone `z` is in the scope. */
export const scopeCondition = ({ owners, shared }: AccessScope, place: Place): string => {
  const owned = `z.owner_id = any(${place(owners)}::uuid[])`
  return shared === null ? owned : `(${owned} or ${inShared(shared, 'z', place)})`
}

/** The filter's test of the accounts `a`; null if it has none. */
export function emailTest({ email = '' }: DomainFilter, owners: Owners, place: Place): string | null {
  if (email === '') return null
  if (unstorable(email)) return 'false'
  return `a.owner_id = any(${place(owners)}::uuid[]) and lower(a.email) like ${place(emailPattern(email))}::text`
}

/**
 * The filter's tests of a zone `z` together with the owner test. With `indexed`, the most selective tests are written for their index and
 * the others so that no index applies: otherwise the planner reads a whole index for a common value only to intersect it with a handful of
 * rows.
 */
export function conditions(
  filter: DomainFilter,
  use: Use,
  { owners, shared, everybody }: Part,
  owner: string | null,
  place: Place,
): string[] {
  const text = textConditions(filter, use, owner, place)
  const tests = [...text, ...(shared === null ? [] : [inShared(shared, 'z', place)])]
  if (given(filter.accountIds)) tests.push(`z.account_id = any(${place(filter.accountIds)}::uuid[])`)
  if (given(filter.groupIds)) tests.push(`z.group_id = any(${place(filter.groupIds)}::uuid[])`)
  tests.push(...registrarTests(filter, shared, place))
  const email = emailTest(filter, owners, place)
  if (email !== null) tests.push(email === 'false' ? email : `z.account_id = any(array(select a.id from accounts a where ${email}))`)
  if (use === 'indexed' && text.length > 0)
    for (let index = text.length; index < tests.length; index += 1) tests[index] = `(${tests[index]}) is true`
  // Its index begins with the owner, so it leads only where no other test does.
  const protectionLeads = use === 'indexed' && tests.length === 0
  const protection = protectionTests(filter, protectionLeads ? 'indexed' : 'row')
  tests.push(...protection)
  const dimmed = dimNames.some((name) => filter[name] !== undefined)
  const led = use === 'indexed' && tests.length > 0 && !(text.length > 0 && dimmed)
  if (dimmed) {
    tests.push(use === 'row' || led ? dimTest(filter, 'z') : dimPlaces(filter, owner ?? `any(${place(owners)}::uuid[])`))
  }
  if (use === 'row' || (everybody && tests.length === 0)) return tests
  const owned = owner === null ? `z.owner_id = any(${place(owners)}::uuid[])` : `z.owner_id = ${owner}`
  return [
    led && !(protectionLeads && protection.length > 0) && (text.length > 0 || !ownerLeads(filter)) ? `(${owned}) is true` : owned,
    ...tests,
  ]
}

export const where = (...tests: (string | readonly string[])[]) => (tests.flat().length === 0 ? 'true' : tests.flat().join(' and '))
