import { useTranslation } from 'react-i18next'
import { DraftDialog } from '#client/ui/overlay/draft-dialog.tsx'
import type { Profile } from './mutations.ts'
import { ProfileForm } from './profile-form.tsx'
import { useProfileForm } from './use-profile-form.ts'

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
  const state = useProfileForm(profile, (saved) => {
    onClose()
    onSaved?.(saved)
  })
  return (
    <DraftDialog
      isChanged={state.isChanged}
      onClose={onClose}
      title={t(profile === undefined ? 'form.create_title' : 'form.edit_title')}
      size={860}
    >
      <ProfileForm profile={profile} state={state} onCancel={onClose} />
    </DraftDialog>
  )
}
