import { queryClient } from '#client/lib/query-client.ts'
import { useRenewal } from '#client/lib/use-renewal.ts'

const refreshDomains = (): void => {
  for (const queryKey of [[['domains']], [['accounts', 'list']], [['groups']]]) void queryClient.invalidateQueries({ queryKey })
}

/**
 * Renews everything about domains, the accounts they are read from and the groups they are in, soon after news. Counts are exact within a
 * second of a change; reading sooner could read the old ones.
 */
export const useLiveDomains = (): void =>
  useRenewal(({ kind }) => kind === 'domains' || kind === 'accounts' || kind === 'shares', refreshDomains, {
    waitMs: 1_100,
    streamMs: 2_500,
  })
