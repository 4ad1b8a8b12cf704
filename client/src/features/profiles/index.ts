import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** What other features show of profiles; the code and the texts come when it is first shown. */
export const CreateProfile = lazyPart(async () => ({
  default: (await Promise.all([import('./profile-dialog.tsx'), loadTexts('profiles', 'security', 'records')]))[0].ProfileDialog,
}))
