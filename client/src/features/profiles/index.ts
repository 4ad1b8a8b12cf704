import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The profile components for other features; code and texts are loaded when first shown. */
export const CreateProfile = lazyPart(async () => ({
  default: (await Promise.all([import('./profile-dialog.tsx'), loadTexts('profiles', 'security', 'records')]))[0].ProfileDialog,
}))
