import { parseAddressFilter } from '#shared/features/addresses/address-filter.ts'
import type { DomainFilter, DomainSort } from '#shared/features/domains/schema.ts'
import { persisted } from '#client/lib/store.ts'
import { choices, sortKeys, type ChoiceFilter } from './choices.ts'

/**
 * What the address of the list says (R-RTE-05). Flat, with short names and without defaults, so that a link stays readable.
 * Lists are joined by dots, which an address need not escape.
 */
export interface DomainsSearch {
  q?: string
  /** Ids of accounts. */
  account?: string
  /** Ids of groups. */
  group?: string
  /** Ids of registrars, and `none`. */
  registrar?: string
  status?: DomainFilter['status']
  ssl?: DomainFilter['ssl']
  https?: DomainFilter['https']
  level?: DomainFilter['securityLevel']
  /** A number, because the router writes `tls=1.2` for it and a quoted text otherwise. */
  tls?: number
  health?: DomainFilter['health']
  tracker?: DomainFilter['tracker']
  email?: string
  ip?: string
  owner?: string
  /** Ends within so many days, or has ended. */
  paid?: Paid
  /** One's own, or what others share. */
  whose?: DomainFilter['ownership']
  /** A key of the sort, with `-` before it for the other way round. */
  sort?: string
  view?: 'grid'
}

type Paid = NonNullable<DomainFilter['paidUntil']>
type FilterKey = Exclude<keyof DomainsSearch, 'sort' | 'view'>
const filterKeys: readonly FilterKey[] = [
  'q',
  'account',
  'group',
  'registrar',
  'paid',
  'status',
  'ssl',
  'https',
  'level',
  'tls',
  'health',
  'tracker',
  'email',
  'ip',
  'owner',
  'whose',
]

type FilterSearch = Pick<DomainsSearch, FilterKey>

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The router has read numbers and booleans out of the address already; all of ours are words. */
const word = (value: unknown, longest: number): string | undefined => {
  const text = typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
  return text.trim() === '' ? undefined : text.slice(0, longest)
}
const oneOf = <T extends string>(value: unknown, allowed: readonly T[]): T | undefined => allowed.find((each) => each === value)
const idsOf = (value: unknown): string | undefined => {
  const ids = [
    ...new Set(
      word(value, 37_000)
        ?.split('.')
        .filter((id) => uuid.test(id)),
    ),
  ]
  return ids.length === 0 ? undefined : ids.slice(0, 1_000).join('.')
}
/** A part of an address selects nothing, so a link that has one opens the list without it. */
const addressesOf = (value: unknown): string | undefined => {
  const text = word(value, 64)
  return text === undefined || parseAddressFilter(text) === null ? undefined : text
}
/** Longest in days, as the contract has it. */
const longestDays = 3_650
const paidOf = (value: unknown): Paid | undefined => {
  const days = Number(value)
  return value === 'over'
    ? value
    : typeof value !== 'boolean' && Number.isInteger(days) && days >= 1 && days <= longestDays
      ? days
      : undefined
}
const registrarsOf = (value: unknown): string | undefined => {
  const ids = idsOf(value)
  return word(value, 37_000)?.split('.').includes('none') !== true ? ids : ids === undefined ? 'none' : `none.${ids}`
}
const tlsOf = (value: unknown): number | undefined =>
  choices.tlsMin.some((version) => Number(version) === Number(value)) ? Number(value) : undefined

/** Leaves out what is undefined: the router would keep such keys in the state, and equal searches would differ. */
const compact = <T extends object>(all: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T

/** Reads anything at all; what is not understood is left out, so an old or broken link still opens the list. */
export function parseDomainsSearch(raw: Record<string, unknown>): DomainsSearch {
  return compact<DomainsSearch>({
    q: word(raw['q'], 255),
    account: idsOf(raw['account']),
    group: idsOf(raw['group']),
    registrar: registrarsOf(raw['registrar']),
    paid: paidOf(raw['paid']),
    status: oneOf(raw['status'], choices.status),
    ssl: oneOf(raw['ssl'], choices.ssl),
    https: oneOf(raw['https'], choices.https),
    level: oneOf(raw['level'], choices.securityLevel),
    tls: tlsOf(raw['tls']),
    health: oneOf(raw['health'], choices.health),
    tracker: oneOf(raw['tracker'], choices.tracker),
    email: word(raw['email'], 254),
    ip: addressesOf(raw['ip']),
    owner: idsOf(raw['owner'])?.split('.')[0],
    whose: oneOf(raw['whose'], ['own', 'shared'] as const),
    sort: sortParam(sortOf({ sort: word(raw['sort'], 40) })),
    view: oneOf(raw['view'], ['grid'] as const),
  })
}

/** What the filter of every call to the server is, as the address tells it. */
export function filterOf(search: FilterSearch): DomainFilter {
  const registrars = search.registrar?.split('.').filter((id) => id !== 'none')
  return compact<DomainFilter>({
    search: search.q?.trim(),
    accountIds: search.account?.split('.'),
    groupIds: search.group?.split('.'),
    registrarIds: registrars === undefined || registrars.length === 0 ? undefined : registrars,
    registrar: search.registrar?.split('.').includes('none') === true ? 'none' : undefined,
    paidUntil: search.paid,
    status: search.status,
    ssl: search.ssl,
    https: search.https,
    securityLevel: search.level,
    tlsMin: choices.tlsMin.find((version) => Number(version) === search.tls),
    health: search.health,
    tracker: search.tracker,
    email: search.email?.trim(),
    ip: search.ip?.trim(),
    ownerId: search.owner,
    ownership: search.whose,
  })
}

export const filterSearch = (search: DomainsSearch): FilterSearch =>
  compact<FilterSearch>(Object.fromEntries(filterKeys.map((key) => [key, search[key]])) as FilterSearch)

export const hasFilter = (search: DomainsSearch): boolean => filterKeys.some((key) => search[key] !== undefined)

/** Laid over a search, takes every filter away; how the list looks stays. */
export const noFilter: Partial<Record<FilterKey, undefined>> = Object.fromEntries(filterKeys.map((key) => [key, undefined]))

/** The name in the address of a filter that offers choices. */
const choiceParam = {
  status: 'status',
  ssl: 'ssl',
  https: 'https',
  securityLevel: 'level',
  tlsMin: 'tls',
  health: 'health',
  tracker: 'tracker',
} as const satisfies Record<ChoiceFilter, FilterKey>

/** The value of a filter that offers choices, and the address's part that sets it. */
export const choiceOf = (search: DomainsSearch, filter: ChoiceFilter): string | undefined => filterOf(search)[filter]
export const choicePart = (filter: ChoiceFilter, value: string | undefined): Partial<Record<FilterKey, unknown>> => ({
  [choiceParam[filter]]: value === undefined ? undefined : filter === 'tlsMin' ? Number(value) : value,
})

const usualSort: DomainSort = { by: 'name', direction: 'asc' }

export function sortOf({ sort }: { sort?: string | undefined }): DomainSort {
  const descending = sort?.startsWith('-') === true
  const by = oneOf(descending ? sort.slice(1) : sort, sortKeys)
  return by === undefined ? usualSort : { by, direction: descending ? 'desc' : 'asc' }
}

export const sortParam = ({ by, direction }: DomainSort): string | undefined =>
  by === usualSort.by && direction === usualSort.direction ? undefined : `${direction === 'desc' ? '-' : ''}${by}`

/** The last filter of this browser: fills in where an address has none (R-RTE-05, R-APP-05). */
export const storedFilter = persisted<FilterSearch>('zonedeck.domain-filters', (stored) =>
  typeof stored === 'object' && stored !== null ? filterSearch(parseDomainsSearch(stored as Record<string, unknown>)) : {},
)
