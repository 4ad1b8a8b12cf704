import { lazy } from 'react'
import { loadTexts } from '#client/lib/i18n.ts'

export { Confirmation } from './confirmation.tsx'
export { getPasskey, passkeysPossible, wasDeclined } from './passkeys.ts'

/** The part of the own page where second factors are set up. */
export const TwoFactorSection = lazy(async () => ({
  default: (await Promise.all([import('./two-factor-section.tsx'), loadTexts('two-factor')]))[0].TwoFactorSection,
}))

/** The second step of signing in. */
export const SecondFactorForm = lazy(async () => ({
  default: (await Promise.all([import('./second-factor-form.tsx'), loadTexts('two-factor')]))[0].SecondFactorForm,
}))
