import { Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { firstOf } from '#client/lib/text.ts'
import { counted } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import type { Account } from '#shared/features/accounts/schema.ts'
import classes from './accounts.module.css'

const namedAtMost = 5

/** Confirms a deletion with what is removed: accounts and their domains, in the panel only. */
export function DeleteAccountsDialog({
  accounts,
  onDone,
  onClose,
}: {
  accounts: readonly Pick<Account, 'id' | 'name' | 'email'>[]
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['accounts', 'errors'])
  const ids = accounts.map(({ id }) => id)
  const preview = trpc.accounts.deletionPreview.useQuery({ ids: [...ids] }, { gcTime: 0, staleTime: 0 })
  const remove = trpc.accounts.removeMany.useMutation({
    meta: { failure: ids.length > 1 ? t('errors:general.bulk_deletion') : t('failed.delete') },
  })
  const { shown, more } = firstOf(accounts, namedAtMost)
  return (
    <ConfirmDialog
      title={t('delete.title', counted(ids.length))}
      action={t('delete.confirm')}
      count={ids.length}
      consequence={
        <>
          <ul className={`primary anywhere ${classes['names']}`}>
            {shown.map(({ id, name, email }) => (
              <li key={id}>
                <bdi>{name ? `${name} · ${email}` : email}</bdi>
              </li>
            ))}
            {more > 0 ? <li>{t('delete.more', counted(more))}</li> : null}
          </ul>
          {preview.data === undefined ? (
            <Loader size="xs" />
          ) : preview.data.domains === 0 ? (
            t('delete.text_empty')
          ) : (
            t('delete.text', counted(preview.data.domains))
          )}
        </>
      }
      onConfirm={async () => {
        await remove.mutateAsync({ ids: [...ids] })
        await refresh('accounts')
        toast.success(t('delete.done', counted(ids.length)))
        onDone()
      }}
      onClose={onClose}
    />
  )
}
