import { useRenewal } from '#client/lib/use-renewal.ts'
import { refreshGroups } from './use-group-actions.ts'

/** Reads groups again soon after news of them or of domains. */
export const useLiveGroups = (): void =>
  useRenewal(
    ({ kind }) => kind === 'domains' || kind === 'accounts' || kind === 'shares',
    () => void refreshGroups(),
    {
      waitMs: 600,
      streamMs: 2_500,
    },
  )
