import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { auth, setAuth } from '#client/lib/auth.ts'
import { toast } from '#client/lib/toast.ts'
import { useReturnFocus } from '#client/ui/use-return-focus.ts'
import { readUsersAgain } from './read-users-again.ts'
import { UserForm } from './user-form.tsx'

/** Adds a user, or changes the given one. */
export function UserDialog({ user, onClose }: { user?: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation('users')
  useReturnFocus()
  const { user: me, token } = auth.use()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(user === undefined ? 'form.create_title' : 'form.edit_title')}
      size={520}
      closeOnClickOutside={false}
    >
      <UserForm
        // Somebody else's change, once taken, begins the form anew.
        key={user?.updatedAt}
        {...(user && { user })}
        own={user !== undefined && user.id === me?.id}
        onCancel={onClose}
        onSaved={(saved) => {
          const { id, username, name, email, role, createdAt } = saved
          if (id === me?.id && token !== null) setAuth({ token, user: { ...me, username, name, email, role, createdAt } })
          void readUsersAgain()
          toast.success(t(user === undefined ? 'done.created' : 'done.updated'), saved.username)
          onClose()
        }}
      />
    </Modal>
  )
}
