import type { Inputs, Outputs } from '#client/lib/trpc.ts'

/** The response of a second factor setup. */
export type Added = Outputs['twoFactor']['confirmTotp']

const library = () => import('@simplewebauthn/browser')

/** Browsers allow passkeys on a host name, not on an IP address, over HTTPS or on localhost. */
export const passkeysPossible = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)

/** @throws Error if the user or the browser cancels */
export async function createPasskey(
  options: Outputs['twoFactor']['startPasskey']['passkey'],
): Promise<Inputs['twoFactor']['addPasskey']['passkey']> {
  const { startRegistration } = await library()
  return { ...(await startRegistration({ optionsJSON: options })), clientExtensionResults: {} }
}

/** @throws Error if the user or the browser cancels */
export async function getPasskey(
  options: Outputs['auth']['askForPasskey']['passkey'],
): Promise<Inputs['auth']['signInByPasskey']['passkey']> {
  const { startAuthentication } = await library()
  return { ...(await startAuthentication({ optionsJSON: options })), clientExtensionResults: {} }
}

/** Cancelling the browser's dialog is not an error. */
export const wasDeclined = (error: unknown): boolean => error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
