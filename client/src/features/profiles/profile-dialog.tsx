import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Profile } from './profile.ts'
import { useReturnFocus } from '#client/ui/use-return-focus.ts'
import { ProfileForm } from './profile-form.tsx'

/** Creates a profile, from anywhere; or changes the given one. */
export function ProfileDialog({
  profile,
  onSaved,
  onClose,
}: {
  profile?: Profile
  onSaved?: (profile: Profile) => void
  onClose: () => void
}) {
  const { t } = useTranslation('profiles')
  useReturnFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(profile === undefined ? 'form.create_title' : 'form.edit_title')}
      size={860}
      closeOnClickOutside={false}
    >
      <ProfileForm
        {...(profile && { profile })}
        onCancel={onClose}
        onSaved={(saved) => {
          onClose()
          onSaved?.(saved)
        }}
      />
    </Modal>
  )
}
