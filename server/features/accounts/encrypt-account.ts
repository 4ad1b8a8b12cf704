import { randomUUID } from 'node:crypto'
import { apiKeyContext, passwordContext } from '#server/features/sync/index.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { AccountFields } from '#shared/features/accounts/schema.ts'

type Given = Pick<AccountFields, 'email' | 'apiKey' | 'kind'> & { readonly password?: string | null | undefined }

/** Recognises a credential without being able to read it. A global key is one with its email, a token on its own. */
export const credentialHashOf = (secrets: Secrets, { kind, email, apiKey }: Omit<Given, 'password'>) =>
  secrets.fingerprint(kind === 'api_token' ? `api_token ${apiKey}` : `global_key ${email} ${apiKey}`)

/** The columns of a new account that hold its credential, under an id of its own: the ciphertext is bound to it. */
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
