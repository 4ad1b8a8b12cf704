import { queryClient } from '#client/lib/query-client.ts'
import { useRenewal } from '#client/lib/use-renewal.ts'

const refreshUsers = (): void => void queryClient.invalidateQueries({ queryKey: [['users']] })

/** Reads users again soon after news of them, or of what the list counts. */
export const useLiveUsers = (): void =>
  useRenewal(({ kind }) => kind === 'users' || kind === 'domains' || kind === 'accounts', refreshUsers, { waitMs: 600, streamMs: 5_000 })
