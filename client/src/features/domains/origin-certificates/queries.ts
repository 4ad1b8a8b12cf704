import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'

export type OriginCertificate = Outputs['originCertificates']['list']['certificates'][number]

/** The certificates as last read, immediately, and then from the provider. */
export function useOriginCertificates(domainId: string) {
  const mirror = trpc.originCertificates.list.useQuery(
    { id: domainId, fresh: false },
    { retry: false, trpc: { context: { unbatched: true } } },
  )
  const provider = trpc.originCertificates.list.useQuery(
    { id: domainId, fresh: true },
    { enabled: mirror.isFetched && !mirror.isError, retry: false, trpc: { context: { unbatched: true } } },
  )
  useLiveQueries('originCertificates')
  const found = [provider.data, mirror.data].filter((each) => each !== undefined)
  // After a change in the panel, only the stored ones are read again.
  const list = (mirror.dataUpdatedAt > provider.dataUpdatedAt ? mirror.data : found[0]) ?? found[0]
  return {
    list,
    updating: provider.isFetching || mirror.isFetching,
    /** Why the provider's response is missing. */
    error: provider.error ?? mirror.error,
    renew: () => void (mirror.isError ? mirror.refetch() : provider.refetch()),
  }
}

/** After an attempt to change something, whether it succeeded or not. */
export function useReread(domainId: string): () => void {
  const utils = trpc.useUtils()
  return () => void utils.originCertificates.list.invalidate({ id: domainId })
}
