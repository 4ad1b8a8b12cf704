import type { Inputs, Outputs } from '#client/lib/trpc.ts'

/** What the set-up of a second factor answers. */
export type Added = Outputs['twoFactor']['confirmTotp']

const library = () => import('@simplewebauthn/browser')

/** Browsers allow passkeys where the panel has a name rather than an IP address, over HTTPS or on this very machine. */
export const passkeysPossible = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)

/** @throws Error when the person or the browser would not */
export async function createPasskey(
  options: Outputs['twoFactor']['startPasskey']['passkey'],
): Promise<Inputs['twoFactor']['addPasskey']['passkey']> {
  const { startRegistration } = await library()
  return { ...(await startRegistration({ optionsJSON: options })), clientExtensionResults: {} }
}

/** @throws Error when the person or the browser would not */
export async function getPasskey(
  options: Outputs['auth']['askForPasskey']['passkey'],
): Promise<Inputs['auth']['signInByPasskey']['passkey']> {
  const { startAuthentication } = await library()
  return { ...(await startAuthentication({ optionsJSON: options })), clientExtensionResults: {} }
}

/** What somebody who closes the browser's own dialog has done is no fault. */
export const wasDeclined = (error: unknown): boolean => error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
