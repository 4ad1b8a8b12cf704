import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { auth, setAuth } from '#client/lib/auth.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { UserForm } from './user-form.tsx'

/** Adds a user, or changes the given one. */
export function UserDialog({ user, onClose }: { user?: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation('users')
  const { user: me, token } = auth.use()
  // The state that the edit began from: a change by somebody else does not replace what is being typed until the person asks for it.
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
        // Somebody else's change, once taken, begins the form anew.
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
