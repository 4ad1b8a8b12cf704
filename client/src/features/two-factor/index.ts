import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

export { Confirmation } from './confirmation.tsx'
export { getPasskey, passkeysPossible, wasDeclined } from './passkeys.ts'

/** The section of the profile page for second factors. */
export const TwoFactorSection = lazyPart(async () => ({
  default: (await Promise.all([import('./two-factor-section.tsx'), loadTexts('two-factor')]))[0].TwoFactorSection,
}))

/** The second step of the sign-in. */
export const SecondFactorForm = lazyPart(async () => ({
  default: (await Promise.all([import('./second-factor-form.tsx'), loadTexts('two-factor')]))[0].SecondFactorForm,
}))
