import { useEffect, useState, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox, Button } from '@mantine/core'
import type { ManagedUser, UserBelongings } from '#shared/features/users/schema.ts'
import { auth, setAuth } from '#client/lib/auth.ts'
import { refresh, queryClient } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { formatDateTime, counted } from '#client/lib/format.ts'
import { SecretField } from '#client/ui/form/secret-field.tsx'
import forms from '#client/ui/form/form.module.css'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { UserTokensDialog } from '#client/features/api-tokens/index.ts'
import { UserForm } from './user-form.tsx'
import classes from './users.module.css'

export type UserDialogState =
  | { kind: 'edit' | 'password' | 'factors' | 'tokens' | 'sign_out' | 'disable'; id: string }
  | { kind: 'delete'; users: readonly ManagedUser[]; staying: boolean }

export function UserDialogs({
  dialog,
  user,
  onDeleted,
  onClose,
}: {
  dialog: UserDialogState
  /** The user that the dialog is about. */
  user: ManagedUser | undefined
  onDeleted: (users: readonly ManagedUser[]) => void
  onClose: () => void
}) {
  return (
    <>
      {dialog.kind === 'edit' && user !== undefined ? <UserDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'password' && user !== undefined ? <ResetPasswordDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'factors' && user !== undefined ? <ResetFactorsDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'disable' && user !== undefined ? <DisableDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'sign_out' && user !== undefined ? <SignOutDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'tokens' && user !== undefined ? (
        <Suspense fallback={null}>
          <UserTokensDialog user={user} onClose={onClose} />
        </Suspense>
      ) : null}
      {dialog.kind === 'delete' ? (
        <DeleteUsersDialog users={dialog.users} staying={dialog.staying} onDone={() => onDeleted(dialog.users)} onClose={onClose} />
      ) : null}
    </>
  )
}

/** Adds a user, or edits the given one. */
export function UserDialog({ user, onClose }: { user?: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation('users')
  const { user: me, token } = auth.use()
  // The initial state of the edit: a concurrent change does not replace the input until the user requests it.
  const [began, setBegan] = useState(user)
  const [takes, setTakes] = useState(false)
  useEffect(() => {
    if (!takes || user?.updatedAt === began?.updatedAt) return
    setBegan(user)
    setTakes(false)
  }, [takes, user, began])
  return (
    <Dialog onClose={onClose} title={t(user === undefined ? 'form.create_title' : 'form.edit_title')} size={520}>
      <UserForm
        // Accepting a concurrent change resets the form.
        key={began?.updatedAt}
        {...(began && { user: began })}
        own={began !== undefined && began.id === me?.id}
        onCancel={onClose}
        onTakeTheirs={() => {
          setTakes(true)
          void refresh('users')
        }}
        onSaved={(saved) => {
          const { id, username, name, email, role, createdAt } = saved
          if (id === me?.id && token !== null) setAuth({ token, user: { ...me, username, name, email, role, createdAt } })
          void refresh('users')
          toast.success(t(user === undefined ? 'done.created' : 'done.updated'), saved.username)
          onClose()
        }}
      />
    </Dialog>
  )
}

/** For a user who has lost the phone, the key and the recovery codes. */
function ResetFactorsDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation('users')
  const reset = trpc.twoFactor.reset.useMutation({ meta: { failure: t('failed.factors') } })
  return (
    <ConfirmDialog
      title={t('factors.title', { user: user.username, email: user.email })}
      consequence={t('factors.text')}
      action={t('factors.confirm')}
      count={1}
      onConfirm={async () => {
        await reset.mutateAsync({ userId: user.id })
        await refresh('users')
        toast.success(t('done.factors'), user.username)
      }}
      onClose={onClose}
    />
  )
}

/** Ends all sessions of a user, and tokens if selected. */
function SignOutDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation('users')
  const [tokens, setTokens] = useState(false)
  const signOut = trpc.users.signOut.useMutation({ meta: { failure: t('failed.sign_out') } })
  return (
    <ConfirmDialog
      title={t('sign_out.title', { user: user.username })}
      consequence={
        <div className="column gap-16">
          <p>{t('sign_out.text')}</p>
          <Checkbox label={t('sign_out.tokens')} checked={tokens} onChange={(event) => setTokens(event.currentTarget.checked)} />
        </div>
      }
      action={t('sign_out.confirm')}
      count={1}
      onConfirm={async () => {
        await signOut.mutateAsync({ id: user.id, tokens })
        await Promise.all([refresh('users'), queryClient.invalidateQueries({ queryKey: [['apiTokens']] })])
        toast.success(t('done.signed_out'), user.username)
      }}
      onClose={onClose}
    />
  )
}

/** Creates a link with which the user sets a new password that no one else knows. */
function ResetPasswordDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation(['users', 'common'])
  const create = trpc.users.createResetLink.useMutation({ meta: { failure: t('failed.link') }, gcTime: 0 })
  const link = create.data
  return (
    <Dialog onClose={onClose} title={t('reset.title', { user: user.username, email: user.email })} size={480}>
      <div className="column gap-16">
        {link === undefined ? (
          <p className="size-13 secondary pretty">{t('reset.text')}</p>
        ) : (
          <>
            <p className="size-13 secondary pretty" role="status">
              {t('reset.done', { when: formatDateTime(link.expiresAt) })}
            </p>
            <SecretField label={t('reset.link')} value={`${location.origin}${link.path}`} />
          </>
        )}
        <div className={forms['actions']}>
          <Button variant="default" onClick={onClose}>
            {t(link === undefined ? 'common:cancel' : 'common:close')}
          </Button>
          {link === undefined ? (
            <Button loading={create.isPending} onClick={() => create.mutate({ id: user.id })} data-autofocus>
              {t('reset.submit')}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  )
}

/** Confirms disabling and states what ends or pauses; what the user owns stays. */
function DisableDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation('users')
  const preview = trpc.users.disablingPreview.useQuery({ id: user.id }, { gcTime: 0, staleTime: 0 })
  const disable = trpc.users.disable.useMutation({ meta: { failure: t('failed.disable') } })
  const title = t('disable.title', { user: user.username })
  const ends = preview.data
  if (preview.isError && ends === undefined) {
    return (
      <Dialog onClose={onClose} title={title} size={440}>
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      </Dialog>
    )
  }
  // Waits for the numbers, which the confirmation must show.
  if (ends === undefined) return null
  const lines = [
    ...(['sessions', 'tokens'] as const).flatMap((kind) => (ends[kind] === 0 ? [] : [t(`disable.ends_${kind}`, counted(ends[kind]))])),
    ...(ends.calendarFeed ? [t('disable.ends_feed')] : []),
    ...(ends.operations === 0 ? [] : [t('disable.pauses_operations', counted(ends.operations))]),
  ]
  return (
    <ConfirmDialog
      title={title}
      consequence={
        <>
          <p>{t('disable.text')}</p>
          {lines.length === 0 ? null : (
            <ul className={classes['ends']}>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          <p>{t('disable.stays')}</p>
        </>
      }
      action={t('disable.confirm')}
      count={1}
      onConfirm={async () => {
        await disable.mutateAsync({ id: user.id })
        await Promise.all([refresh('users'), queryClient.invalidateQueries({ queryKey: [['apiTokens']] })])
        toast.success(t('done.disabled'), user.username)
      }}
      onClose={onClose}
    />
  )
}

const belongings = ['accounts', 'domains', 'groups', 'profiles', 'operations', 'tokens', 'shares'] as const

/** Confirms a deletion and lists what is deleted with each user. */
function DeleteUsersDialog({
  users,
  staying,
  onDone,
  onClose,
}: {
  users: readonly ManagedUser[]
  /** The current user was selected and is kept. */
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
  const all = preview.data?.users
  const total = (kind: (typeof belongings)[number]): number => all?.reduce((sum, user) => sum + user[kind], 0) ?? 0
  if (preview.isError && all === undefined) {
    return (
      <Dialog onClose={onClose} title={t('delete.title', counted(ids.length))} size={520}>
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      </Dialog>
    )
  }
  // Waits for the numbers, which the confirmation must show.
  if (all === undefined) return null
  const wordsOf = (user: UserBelongings): string =>
    belongings.flatMap((kind) => (user[kind] === 0 ? [] : [t(`owned.${kind}`, counted(user[kind]))])).join(', ')
  return (
    <ConfirmDialog
      title={t('delete.title', counted(all.length))}
      action={t('delete.confirm', counted(all.length))}
      count={all.length + total('accounts') + total('domains')}
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
