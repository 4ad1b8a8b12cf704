import { isIP } from 'node:net'
import type { z } from 'zod'
import { hasPossibleHost } from '#shared/possible-host.ts'
import type { passkeyCreated, passkeyCreation, passkeyRequest, passkeyResponse } from '#shared/features/two-factor/schema.ts'
import type { PasskeyRow } from './two-factor.repo.ts'

/** The only file that uses the library. It takes 30 MB and a third of a second to load, so it is loaded on first use. */
const library = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256 */
const algorithms = [-8, -7, -257]
const answerWithinMs = 5 * 60_000

/** The relying party of the panel: passkeys require a host name and HTTPS, or localhost. */
interface PasskeySite {
  readonly origin: string
  readonly name: string
}

/** Null for API clients, and if the panel is opened by an IP address or without HTTPS: browsers permit no passkeys there. */
export function passkeySite(origin: string | null): PasskeySite | null {
  if (origin === null || !hasPossibleHost(origin) || !URL.canParse(origin)) return null
  const { hostname, protocol } = new URL(origin)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0 || (protocol !== 'https:' && hostname !== 'localhost')) return null
  return { origin, name: hostname }
}

type Transports = NonNullable<z.infer<typeof passkeyCreation>['excludeCredentials'][number]['transports']>

const descriptor = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports: transports as Transports,
})

export async function passkeyCreationOptions(
  site: PasskeySite,
  user: { readonly id: string; readonly email: string; readonly name: string },
  existing: readonly PasskeyRow[],
): Promise<z.infer<typeof passkeyCreation>> {
  const { generateRegistrationOptions } = await library()
  const { challenge } = await generateRegistrationOptions({ rpName: 'Zonedeck', rpID: site.name, userName: user.email })
  return {
    rp: { id: site.name, name: 'Zonedeck' },
    user: { id: userHandle(user.id), name: user.email, displayName: user.name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout: answerWithinMs,
    excludeCredentials: existing.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  }
}

/** The stored data of a new passkey; null if the response does not match this challenge and panel. */
export async function verifyCreated(site: PasskeySite, challenge: string, response: z.infer<typeof passkeyCreated>) {
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.name,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ registrationInfo: undefined }))
  if (registrationInfo === undefined) return null
  const { credential, credentialBackedUp } = registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: response.response.transports ?? [],
    backedUp: credentialBackedUp,
  }
}

/** `keys` null: any passkey of this panel in the browser, with user verification required. */
export async function passkeyRequestOptions(
  site: PasskeySite,
  keys: readonly PasskeyRow[] | null,
): Promise<z.infer<typeof passkeyRequest>> {
  const { generateAuthenticationOptions } = await library()
  const { challenge } = await generateAuthenticationOptions({ rpID: site.name })
  return {
    challenge,
    rpId: site.name,
    timeout: answerWithinMs,
    userVerification: keys === null ? 'required' : 'preferred',
    ...(keys === null ? {} : { allowCredentials: keys.map(descriptor) }),
  }
}

/** The updated data of the used passkey; null if the response does not match this challenge, panel and key. */
export async function verifyResponse(
  site: PasskeySite,
  key: PasskeyRow,
  { challenge, isPasswordless }: { readonly challenge: string; readonly isPasswordless: boolean },
  response: z.infer<typeof passkeyResponse>,
) {
  const handle = response.response.userHandle
  if (handle !== undefined && handle !== userHandle(key.userId)) return null
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.name,
    credential: { id: key.credentialId, publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')), counter: key.counter },
    requireUserVerification: isPasswordless,
  }).catch(() => null)
  if (result === null || !result.verified) return null
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  return { counter: newCounter, backedUp: credentialBackedUp }
}

const userHandle = (userId: string): string => Buffer.from(userId).toString('base64url')
