import { useTranslation } from 'react-i18next'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import type { Profile } from './mutations.ts'
import { ProfileForm } from './profile-form.tsx'

/** Creates a profile on any page, or edits the given one. */
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
  return (
    <Dialog onClose={onClose} title={t(profile === undefined ? 'form.create_title' : 'form.edit_title')} size={860}>
      <ProfileForm
        {...(profile && { profile })}
        onCancel={onClose}
        onSaved={(saved) => {
          onClose()
          onSaved?.(saved)
        }}
      />
    </Dialog>
  )
}
