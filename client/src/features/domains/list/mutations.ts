import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'

/** The most accounts that one request names. */
const mostAccounts = 5_000

/** Asks the server to read the zone lists of these accounts again. */
export function useRequestSync(): { request: (accountIds: readonly string[]) => void; isPending: boolean } {
  const { t } = useTranslation('domains')
  const { mutate, isPending } = trpc.accounts.requestSync.useMutation({
    meta: { failure: t('sync.failed') },
    onSuccess: ({ queued }) => toast.info(t('sync.asked', { count: queued, total: formatNumber(queued) })),
  })
  return {
    isPending,
    request: (accountIds) => {
      if (accountIds.length > 0) mutate({ ids: accountIds.slice(0, mostAccounts) })
    },
  }
}
