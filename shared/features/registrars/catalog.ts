/** One row per provider: its API credentials under our field names, and its capabilities. */

export type RegistrarProvider = 'NAMECHEAP' | 'GODADDY' | 'PORKBUN' | 'REGRU'

/** Any other company has its own name and is managed manually, without an API. */
export type RegistrarCompany = RegistrarProvider | 'OTHER'

export type CredentialField = 'username' | 'password' | 'apiKey' | 'apiSecret' | 'login' | 'apiToken' | 'clientIp'

interface ProviderEntry {
  readonly name: string
  /**
   * The credentials of its API, in the order of its website; each set is one way to authenticate. Field labels are in the `registrars` texts by
   * provider.
   */
  readonly ways: readonly { readonly fields: readonly CredentialField[]; readonly optional?: readonly CredentialField[] }[]
  readonly sandbox: 'address' | 'credentials' | 'none'
  /** The rate limit of its API per credential. */
  readonly limit: { readonly calls: number; readonly perMs: number }
  /** Whether its API has a balance; without one it charges the payment method of the account. */
  readonly hasBalance: boolean
  /** Its API can set DS records. */
  readonly setsDs: boolean
  /** The most names in one call of `check`. */
  readonly namesPerCheck: number
  /** Whether it supports idempotency keys for purchases. */
  readonly idempotentPurchase: boolean
  /** Whether callers must be on an IP allowlist. */
  readonly allowList: 'required' | 'optional' | 'none'
  readonly currency: string
  /** Where to get the credentials. */
  readonly help: string
}

export const registrarCatalog = {
  NAMECHEAP: {
    name: 'Namecheap',
    ways: [{ fields: ['username', 'apiKey', 'clientIp'] }],
    sandbox: 'address',
    limit: { calls: 20, perMs: 60_000 },
    hasBalance: true,
    setsDs: false,
    namesPerCheck: 50,
    idempotentPurchase: false,
    allowList: 'required',
    currency: 'USD',
    help: 'https://www.namecheap.com/support/api/intro/',
  },
  GODADDY: {
    name: 'GoDaddy',
    ways: [{ fields: ['apiKey', 'apiSecret'] }, { fields: ['apiToken'] }],
    sandbox: 'address',
    limit: { calls: 60, perMs: 60_000 },
    hasBalance: false,
    setsDs: false,
    namesPerCheck: 25,
    idempotentPurchase: true,
    allowList: 'none',
    currency: 'USD',
    help: 'https://developer.godaddy.com/keys',
  },
  PORKBUN: {
    name: 'Porkbun',
    ways: [{ fields: ['apiKey', 'apiSecret'] }],
    sandbox: 'credentials',
    limit: { calls: 1, perMs: 1_000 },
    hasBalance: true,
    setsDs: true,
    namesPerCheck: 25,
    idempotentPurchase: true,
    allowList: 'optional',
    currency: 'USD',
    help: 'https://porkbun.com/account/api',
  },
  REGRU: {
    name: 'REG.RU',
    ways: [{ fields: ['login', 'password'] }],
    sandbox: 'credentials',
    limit: { calls: 1_200, perMs: 3_600_000 },
    hasBalance: true,
    setsDs: false,
    namesPerCheck: 100,
    idempotentPurchase: false,
    allowList: 'required',
    currency: 'RUB',
    help: 'https://www.reg.ru/user/account/settings/api/',
  },
} as const satisfies Record<RegistrarProvider, ProviderEntry>

export const registrarProviders = ['NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU'] as const satisfies readonly RegistrarProvider[]
export const registrarCompanies = [...registrarProviders, 'OTHER'] as const satisfies readonly RegistrarCompany[]
