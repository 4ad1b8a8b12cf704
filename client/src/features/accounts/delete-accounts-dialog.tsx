import { Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { useAccountNews } from './use-account-news.ts'

/** Asks with what goes: accounts and the domains behind them, here only. */
export function DeleteAccountsDialog({ ids, onDone, onClose }: { ids: readonly string[]; onDone: () => void; onClose: () => void }) {
  const { t } = useTranslation('accounts')
  const news = useAccountNews()
  const preview = trpc.accounts.deletionPreview.useQuery({ ids: [...ids] }, { gcTime: 0, staleTime: 0 })
  const remove = trpc.accounts.removeMany.useMutation({ meta: { failure: t('failed.delete') } })
  const counted = (count: number) => ({ count, formatted: formatNumber(count) })
  return (
    <ConfirmDialog
      title={t('delete.title', counted(ids.length))}
      action={t('delete.confirm')}
      things={ids.length}
      consequence={
        preview.data === undefined ? (
          <Loader size="xs" />
        ) : preview.data.domains === 0 ? (
          t('delete.text_empty')
        ) : (
          t('delete.text', counted(preview.data.domains))
        )
      }
      onConfirm={async () => {
        await remove.mutateAsync({ ids: [...ids] })
        await news()
        toast.success(t('delete.done', counted(ids.length)))
        onDone()
      }}
      onClose={onClose}
    />
  )
}
