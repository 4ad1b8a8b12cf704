import { changeKinds, longestActor } from '#shared/features/provider-changes/names.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'
import type { Inputs, Outputs } from '#client/lib/trpc.ts'
import { dayParam } from '../search.ts'

export type Change = Outputs['providerChanges']['list']['changes'][number]
export type ChangesQuery = Omit<NonNullable<Inputs['providerChanges']['list']>, 'cursor' | 'limit'>

export const kinds = changeKinds
export const reviews = ['open', 'critical'] as const

/** The URL parameters of the list of changes at the provider. */
export interface ChangesSearch {
  account?: string
  domain?: string
  /** Who made the change. */
  author?: string
  kind?: Change['kind']
  /** What waits for a review: all, or what was reported immediately. */
  review?: (typeof reviews)[number]
  /** Days, both inclusive. */
  from?: string
  to?: string
  /** Also changes made by this panel. */
  own?: 'yes'
}

export function parseChangesSearch(raw: unknown): ChangesSearch {
  const { text, id, oneOf } = searchParams(raw)
  return compact<ChangesSearch>({
    account: id('account'),
    domain: id('domain'),
    author: text('author', longestActor),
    kind: oneOf('kind', kinds),
    review: oneOf('review', reviews),
    from: dayParam(text('from')),
    to: dayParam(text('to')),
    own: oneOf('own', ['yes']),
  })
}

/** The first moment of a local date, or of one of the days after it. */
function startOf(day: string | undefined, later = 0): string | undefined {
  if (day === undefined) return undefined
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

export const queryOf = ({ account, domain, author, kind, review, from, to, own }: ChangesSearch): ChangesQuery =>
  compact<ChangesQuery>({
    accountId: account,
    domainId: domain,
    actor: author,
    kind,
    unreviewed: review === undefined ? undefined : true,
    critical: review === 'critical' ? true : undefined,
    since: startOf(from),
    before: startOf(to, 1),
    outside: own === undefined,
  })
