import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc } from '#client/lib/trpc.ts'

/** Certificates as they were read last, at once, and then as the provider has them now. */
export function useSsl(zoneId: string) {
  const mirror = trpc.zoneSettings.ssl.useQuery({ id: zoneId, fresh: false })
  // Not together with the mirror: one answer would wait for the other.
  const provider = trpc.zoneSettings.ssl.useQuery({ id: zoneId, fresh: true }, { enabled: mirror.isFetched, retry: false })
  useLiveQueries('certificates')
  const found = [provider.data?.ssl, mirror.data?.ssl].filter((ssl) => ssl !== undefined)
  const [ssl] = found.toSorted((a, b) => (b.readAt ?? '').localeCompare(a.readAt ?? ''))
  return {
    ssl,
    updating: provider.isFetching,
    /** Why the provider's answer is missing. */
    error: provider.error ?? (ssl === undefined ? mirror.error : null),
    renew: () => void provider.refetch(),
  }
}
