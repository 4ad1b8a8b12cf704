import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The token section of the profile page; code and texts are loaded when it is first shown. */
export const ApiTokensSection = lazyPart(async () => (await import('./api-tokens-section.tsx')).ApiTokensSection, 'api-tokens')

/** The tokens of another user, for administrators. */
export const UserTokensDialog = lazyPart(async () => (await import('./user-tokens-dialog.tsx')).UserTokensDialog, 'api-tokens')
