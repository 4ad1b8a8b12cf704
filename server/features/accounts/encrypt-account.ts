import { randomUUID } from 'node:crypto'
import { apiKeyContext, passwordContext } from '#server/features/sync/index.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { AccountFields } from '#shared/features/accounts/schema.ts'

type Given = Pick<AccountFields, 'email' | 'apiKey' | 'kind'> & { readonly password?: string | null | undefined }

/** A fingerprint that identifies a credential without revealing it: of a global key with its email, or of a token. */
export const credentialHashOf = (secrets: Secrets, { kind, email, apiKey }: Omit<Given, 'password'>) =>
  secrets.fingerprint(kind === 'api_token' ? `api_token ${apiKey}` : `global_key ${email} ${apiKey}`)

/** The columns of a new account that hold its credential, including the id, because the ciphertext is bound to it. */
export function encryptAccountSecrets(secrets: Secrets, given: Given) {
  const id = randomUUID()
  const password = given.password ?? ''
  return {
    id,
    email: given.email,
    kind: given.kind,
    credentialHash: credentialHashOf(secrets, given),
    apiKeySealed: secrets.encrypt(given.apiKey, apiKeyContext(id)),
    passwordSealed: password === '' ? null : secrets.encrypt(password, passwordContext(id)),
  }
}
