import { lazyPart } from '#client/lib/lazy-part.tsx'

export { Confirmation } from './confirmation.tsx'
export { getPasskey, passkeysPossible, wasDeclined } from './passkeys.ts'

/** The section of the profile page for second factors. */
export const TwoFactorSection = lazyPart(async () => (await import('./two-factor-section.tsx')).TwoFactorSection, 'two-factor')

/** The second step of the sign-in. */
export const SecondFactorForm = lazyPart(async () => (await import('./second-factor-form.tsx')).SecondFactorForm, 'two-factor')
