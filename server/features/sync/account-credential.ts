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

/** What a sealed secret is bound to, so that it opens in its own row and column only. */
export const apiKeyContext = (accountId: string) => `account:${accountId}:apiKey`
export const passwordContext = (accountId: string) => `account:${accountId}:password`

export const credentialOf = (kind: Credential['kind'], email: string, apiKey: string): Credential =>
  kind === 'api_token' ? { kind, token: apiKey } : { kind, email, apiKey }

export const openApiKey = (secrets: Secrets, account: Pick<StoredCredential, 'id' | 'apiKeySealed'>) =>
  secrets.open(account.apiKeySealed, apiKeyContext(account.id))

/** The account at its provider; nothing is sent until a method is called. */
export const connectAccount = (services: Pick<Services, 'dnsHost' | 'secrets'>, account: StoredCredential): HostConnection =>
  services.dnsHost.connect(credentialOf(account.kind, account.email, openApiKey(services.secrets, account)), account.providerUserId)
