import { queryClient } from '#client/lib/query-client.ts'
import { useRenewal } from '#client/lib/use-renewal.ts'

/** Reads registrars again soon after they, or who shares them, changed. */
export const useLiveRegistrars = (): void =>
  useRenewal(
    ({ kind }) => kind === 'registrars' || kind === 'shares',
    () => void queryClient.invalidateQueries({ queryKey: [['registrars']] }),
    { waitMs: 300, streamMs: 2_000 },
  )
