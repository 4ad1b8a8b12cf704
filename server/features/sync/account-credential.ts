import { decryptStored } from '#server/platform/secrets.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { Credential, HostConnection } from '#server/ports/dns-host.ts'
import type { Services } from '#server/platform/context.ts'

interface StoredCredential {
  readonly id: string
  readonly email: string
  readonly kind: Credential['kind']
  readonly apiKeySealed: string
  readonly providerUserId: string | null
}

/** The context that an encrypted secret is bound to, so that it can be decrypted only in its own row and column. */
export const apiKeyContext = (accountId: string) => `account:${accountId}:apiKey`
export const passwordContext = (accountId: string) => `account:${accountId}:password`

export const credentialOf = (kind: Credential['kind'], email: string, apiKey: string): Credential =>
  kind === 'api_token' ? { kind, token: apiKey } : { kind, email, apiKey }

/** @throws AppError secret_unreadable */
export const decryptApiKey = (secrets: Secrets, account: Pick<StoredCredential, 'id' | 'email' | 'apiKeySealed'>) =>
  decryptStored(secrets, {
    encrypted: account.apiKeySealed,
    context: apiKeyContext(account.id),
    secret: 'account_key',
    name: account.email,
  })

type Opener = Pick<Services, 'dnsHost' | 'secrets' | 'connections'>

/**
 * The account's connection to its provider; no call is made until a method is called.
 * @throws AppError secret_unreadable
 */
export function connectAccount({ dnsHost, secrets, connections }: Opener, account: StoredCredential): HostConnection {
  const { email, kind, apiKeySealed, providerUserId } = account
  // The key contains all inputs, still encrypted, so a changed account gets a new connection.
  const known = connections?.get(`${apiKeySealed} ${email} ${kind} ${providerUserId}`)
  if (known !== undefined) return known
  const opened = dnsHost.connect(credentialOf(kind, email, decryptApiKey(secrets, account)), providerUserId)
  connections?.set(`${apiKeySealed} ${email} ${kind} ${providerUserId}`, opened)
  return opened
}
