import { lazyPart } from '#client/lib/lazy-part.tsx'

export { getPasskey, passkeysPossible, wasDeclined } from './passkeys.ts'

/** The authentication requests of all calls are shown by the root route. */
export const ConfirmationDialog = lazyPart(async () => (await import('./confirmation-dialog.tsx')).ConfirmationDialog, 'two-factor')

/** The section of the profile page for second factors. */
export const TwoFactorSection = lazyPart(async () => (await import('./two-factor-section.tsx')).TwoFactorSection, 'two-factor')

/** The second step of the sign-in. */
export const SecondFactorForm = lazyPart(async () => (await import('./second-factor-form.tsx')).SecondFactorForm, 'two-factor')
