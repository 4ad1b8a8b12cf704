import { queryClient } from '#client/lib/query-client.ts'
import { useRenewal } from '#client/lib/use-renewal.ts'

export const refreshOperations = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [['operations']] })

/** Reads what is shown of operations again soon after news. */
export const useOperationNews = (): void =>
  useRenewal(
    ({ kind }) => kind === 'operations',
    () => void refreshOperations(),
    { waitMs: 300, streamMs: 1_500 },
  )
