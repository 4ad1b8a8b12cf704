import { queryClient } from '#client/lib/query-client.ts'
import { useRenewal } from '#client/lib/use-renewal.ts'

/** Reads registrars again soon after news of them. */
export const useLiveRegistrars = (): void =>
  useRenewal(
    ({ kind }) => kind === 'registrars',
    () => void queryClient.invalidateQueries({ queryKey: [['registrars']] }),
    { waitMs: 300, streamMs: 2_000 },
  )
