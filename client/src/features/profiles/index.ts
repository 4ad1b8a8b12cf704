import { lazy } from 'react'
import { loadTexts } from '#client/lib/i18n.ts'

/** What other features show of profiles; the code and the texts come when it is first shown. */
export const CreateProfile = lazy(async () => ({
  default: (await Promise.all([import('./profile-dialog.tsx'), loadTexts('profiles', 'security', 'records')]))[0].ProfileDialog,
}))
