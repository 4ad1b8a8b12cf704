import { useTranslation } from 'react-i18next'
import type { ManagedUser, UserBelongings } from '#shared/features/users/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import classes from './users.module.css'

const kinds = ['accounts', 'domains', 'groups', 'profiles', 'operations', 'tokens', 'shares'] as const

/** Asks with what goes with each of them. */
export function DeleteUsersDialog({
  users,
  staying,
  onDone,
  onClose,
}: {
  users: readonly ManagedUser[]
  /** The person was among the chosen, and stays. */
  staying: boolean
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['users', 'errors'])
  const ids = users.map(({ id }) => id)
  const preview = trpc.users.deletionPreview.useQuery({ ids }, { gcTime: 0, staleTime: 0 })
  const remove = trpc.users.removeMany.useMutation({
    meta: { failure: ids.length > 1 ? t('errors:general.bulk_deletion') : t('failed.delete') },
  })
  const counted = (count: number) => ({ count, formatted: formatNumber(count) })
  const all = preview.data?.users
  const total = (kind: (typeof kinds)[number]): number => all?.reduce((sum, user) => sum + user[kind], 0) ?? 0
  if (preview.isError && all === undefined) {
    return (
      <Dialog onClose={onClose} title={t('delete.title', counted(ids.length))} size={520}>
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      </Dialog>
    )
  }
  // It is asked with the numbers or not at all; they are here in a moment.
  if (all === undefined) return null
  const wordsOf = (user: UserBelongings): string =>
    kinds.flatMap((kind) => (user[kind] === 0 ? [] : [t(`things.${kind}`, counted(user[kind]))])).join(', ')
  return (
    <ConfirmDialog
      title={t('delete.title', counted(all.length))}
      action={t('delete.confirm', counted(all.length))}
      things={all.length + total('accounts') + total('domains')}
      consequence={
        <>
          <ul className={`grid gap-8 anywhere ${classes['belongings']}`}>
            {all.map((user) => (
              <li key={user.id}>
                <strong className="medium primary">
                  <bdi>{user.username}</bdi>
                </strong>{' '}
                <bdi className="muted">{user.email}</bdi>
                <span className="block">{wordsOf(user) || t('delete.nothing')}</span>
              </li>
            ))}
          </ul>
          {staying ? <p className={`size-13 secondary pretty radius on-warn p-8-10 ${classes['note']}`}>{t('delete.staying')}</p> : null}
          <p className="size-13 secondary pretty">{t(all.some((user) => wordsOf(user) !== '') ? 'delete.text' : 'delete.text_empty')}</p>
        </>
      }
      onConfirm={async () => {
        await remove.mutateAsync({ ids })
        await refresh('users')
        toast.success(t('delete.done', counted(ids.length)))
        onDone()
      }}
      onClose={onClose}
    />
  )
}
