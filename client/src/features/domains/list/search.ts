import { parseAddressFilter } from '#shared/features/addresses/address-filter.ts'
import type { DomainFilter, DomainSort } from '#shared/features/domains/schema.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'
import { persisted } from '#client/lib/store.ts'
import { choices, sortKeys, type ChoiceFilter } from './choices.ts'

/**
 * The URL parameters of the list (R-RTE-05). Flat, with short names and without defaults, so that a link stays readable. Lists are joined with
 * dots, which need no escaping in a URL.
 */
export interface DomainsSearch {
  q?: string
  /** Account ids. */
  account?: string
  /** Group ids. */
  group?: string
  /** Registrar ids, and `none`. */
  registrar?: string
  status?: DomainFilter['status']
  ssl?: DomainFilter['ssl']
  https?: DomainFilter['https']
  level?: DomainFilter['securityLevel']
  /** A number, because the router writes `tls=1.2` for it and a quoted string otherwise. */
  tls?: number
  health?: DomainFilter['health']
  botFight?: DomainFilter['botFightMode']
  aiBots?: DomainFilter['aiBots']
  labyrinth?: DomainFilter['aiLabyrinth']
  robots?: DomainFilter['managedRobotsTxt']
  dnssec?: DomainFilter['dnssec']
  originCert?: DomainFilter['originCertificate']
  traffic?: DomainFilter['traffic']
  tracker?: DomainFilter['tracker']
  email?: string
  ip?: string
  owner?: string
  /** Expires within this number of days, or has expired. */
  paid?: Paid
  /** The user's own, or shared ones. */
  whose?: DomainFilter['ownership']
  /** A sort key, with `-` before it for descending order. */
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
  'botFight',
  'aiBots',
  'labyrinth',
  'robots',
  'dnssec',
  'originCert',
  'traffic',
  'tracker',
  'email',
  'ip',
  'owner',
  'whose',
]

type FilterSearch = Pick<DomainsSearch, FilterKey>

/** A partial address selects nothing, so a link with one opens the list without it. */
const addressesOf = (text: string | undefined): string | undefined =>
  text === undefined || parseAddressFilter(text) === null ? undefined : text
/** The maximum in days, as in the contract. */
const longestDays = 3_650
const paidOf = (value: unknown): Paid | undefined => {
  const days = Number(value)
  return value === 'over'
    ? value
    : typeof value !== 'boolean' && Number.isInteger(days) && days >= 1 && days <= longestDays
      ? days
      : undefined
}
const tlsOf = (value: unknown): number | undefined =>
  choices.tlsMin.some((version) => Number(version) === Number(value)) ? Number(value) : undefined

export function parseDomainsSearch(raw: unknown): DomainsSearch {
  const { given, text, id, ids, oneOf } = searchParams(raw)
  const withoutRegistrar = text('registrar', 37_000)?.split('.').includes('none') === true
  return compact<DomainsSearch>({
    q: text('q'),
    account: ids('account'),
    group: ids('group'),
    registrar: [withoutRegistrar ? 'none' : undefined, ids('registrar')].filter((each) => each !== undefined).join('.') || undefined,
    paid: paidOf(given['paid']),
    status: oneOf('status', choices.status),
    ssl: oneOf('ssl', choices.ssl),
    https: oneOf('https', choices.https),
    level: oneOf('level', choices.securityLevel),
    tls: tlsOf(given['tls']),
    health: oneOf('health', choices.health),
    botFight: oneOf('botFight', choices.botFightMode),
    aiBots: oneOf('aiBots', choices.aiBots),
    labyrinth: oneOf('labyrinth', choices.aiLabyrinth),
    robots: oneOf('robots', choices.managedRobotsTxt),
    dnssec: oneOf('dnssec', choices.dnssec),
    originCert: oneOf('originCert', choices.originCertificate),
    traffic: oneOf('traffic', choices.traffic),
    tracker: oneOf('tracker', choices.tracker),
    email: text('email', 254),
    ip: addressesOf(text('ip', 64)),
    owner: id('owner'),
    whose: oneOf('whose', ['own', 'shared']),
    sort: sortParam(sortOf({ sort: text('sort', 40) })),
    view: oneOf('view', ['grid']),
  })
}

/** The filter of every call to the server, from the URL. */
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
    botFightMode: search.botFight,
    aiBots: search.aiBots,
    aiLabyrinth: search.labyrinth,
    managedRobotsTxt: search.robots,
    dnssec: search.dnssec,
    originCertificate: search.originCert,
    traffic: search.traffic,
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

/** Merged into a search, clears every filter; the view options stay. */
export const noFilter: Partial<Record<FilterKey, undefined>> = Object.fromEntries(filterKeys.map((key) => [key, undefined]))

/** The URL parameter of a filter with options. */
const choiceParam = {
  status: 'status',
  ssl: 'ssl',
  https: 'https',
  securityLevel: 'level',
  tlsMin: 'tls',
  health: 'health',
  botFightMode: 'botFight',
  aiBots: 'aiBots',
  aiLabyrinth: 'labyrinth',
  managedRobotsTxt: 'robots',
  dnssec: 'dnssec',
  originCertificate: 'originCert',
  traffic: 'traffic',
  tracker: 'tracker',
} as const satisfies Record<ChoiceFilter, FilterKey>

/** The value of a filter with options, and the URL parameters that set it. */
export const choiceOf = (search: DomainsSearch, filter: ChoiceFilter): string | undefined => filterOf(search)[filter]
export const choicePart = (filter: ChoiceFilter, value: string | undefined): Partial<Record<FilterKey, unknown>> => ({
  [choiceParam[filter]]: value === undefined ? undefined : filter === 'tlsMin' ? Number(value) : value,
})

const usualSort: DomainSort = { by: 'name', direction: 'asc' }

export function sortOf({ sort }: { sort?: string | undefined }): DomainSort {
  const descending = sort?.startsWith('-') === true
  const by = sortKeys.find((each) => each === (descending ? sort.slice(1) : sort))
  return by === undefined ? usualSort : { by, direction: descending ? 'desc' : 'asc' }
}

export const sortParam = ({ by, direction }: DomainSort): string | undefined =>
  by === usualSort.by && direction === usualSort.direction ? undefined : `${direction === 'desc' ? '-' : ''}${by}`

/** The last filter of this browser, used when a URL has none (R-RTE-05, R-APP-05). */
export const storedFilter = persisted<FilterSearch>('zonedeck.domain-filters', (stored) => filterSearch(parseDomainsSearch(stored)))
