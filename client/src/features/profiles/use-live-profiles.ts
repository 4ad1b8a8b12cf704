import { useRenewal } from '#client/lib/use-renewal.ts'
import { refreshProfiles } from './use-profile-actions.ts'

/** Reads profiles again soon after news of them or of domains; where domains differ takes the server a while to count. */
export const useLiveProfiles = (): void =>
  useRenewal(
    ({ kind }) => kind === 'profiles' || kind === 'domains',
    () => void refreshProfiles(),
    { waitMs: 600, streamMs: 8_000 },
  )
