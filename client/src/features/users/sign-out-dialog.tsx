import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { queryClient, refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'

/** Ends every session of somebody, and their tokens where that is wanted. */
export function SignOutDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
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
      things={1}
      onConfirm={async () => {
        await signOut.mutateAsync({ id: user.id, tokens })
        await Promise.all([refresh('users'), queryClient.invalidateQueries({ queryKey: [['apiTokens']] })])
        toast.success(t('done.signed_out'), user.username)
      }}
      onClose={onClose}
    />
  )
}
