import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The token section of the profile page; code and texts are loaded when it is first shown. */
export const ApiTokensSection = lazyPart(async () => ({
  default: (await Promise.all([import('./api-tokens-section.tsx'), loadTexts('api-tokens')]))[0].ApiTokensSection,
}))

/** The tokens of another user, for administrators. */
export const UserTokensDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./user-tokens-dialog.tsx'), loadTexts('api-tokens')]))[0].UserTokensDialog,
}))
