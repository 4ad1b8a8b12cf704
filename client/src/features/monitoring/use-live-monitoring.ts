import { queryClient } from '#client/lib/query-client.ts'
import { useRenewal } from '#client/lib/use-renewal.ts'

/** Reads monitoring again soon after news of it. */
export const useLiveMonitoring = (): void =>
  useRenewal(
    ({ kind }) => kind === 'monitoring',
    () => void readMonitoringAgain(),
    { waitMs: 300, streamMs: 3_000 },
  )

/** All that is shown of it. */
export const readMonitoringAgain = (): Promise<void> =>
  Promise.all(['monitoring', 'alerts'].map((part) => queryClient.invalidateQueries({ queryKey: [[part]] }))).then(() => undefined)
