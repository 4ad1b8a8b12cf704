import { abuseKinds, abuseStates, longestAbuseSearch } from '#shared/features/abuse-reports/names.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'
import type { Inputs, Outputs } from '#client/lib/trpc.ts'

export type Report = Outputs['abuseReports']['list']['abuseReports'][number]
export type AbuseQuery = Omit<NonNullable<Inputs['abuseReports']['list']>, 'cursor' | 'limit'>

/** The URL parameters of the list of abuse reports. */
export interface AbuseSearch {
  account?: string
  domain?: string
  /** Part of a domain's name. */
  q?: string
  kind?: Report['kind']
  state?: Report['state']
  /** The report shown in a dialog. */
  report?: string
}

export function parseAbuseSearch(raw: unknown): AbuseSearch {
  const { text, id, oneOf } = searchParams(raw)
  return compact<AbuseSearch>({
    account: id('account'),
    domain: id('domain'),
    q: text('q', longestAbuseSearch),
    kind: oneOf('kind', abuseKinds),
    state: oneOf('state', abuseStates),
    report: id('report'),
  })
}

export const queryOf = ({ account, domain, q, kind, state }: AbuseSearch): AbuseQuery =>
  compact<AbuseQuery>({ accountId: account, domainId: domain, search: q, kind, state })
