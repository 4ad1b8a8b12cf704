import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'

/** The most accounts in one request. */
const mostAccounts = 5_000

/** Starts a sync of these accounts. */
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
