/** A service of top-level domain registries that anyone can query for the expiry of a name. */

export interface RegistryCall {
  /** A person waits for it; everything else comes after. */
  readonly priority: 'person' | 'sync'
  readonly signal?: AbortSignal
}

export interface Registration {
  readonly state: 'found'
  /** Null: not reported by the registry. */
  readonly expiresAt: Date | null
  /** As written by the registry: `client transfer prohibited`. */
  readonly statuses: readonly string[]
  /** The registrar as named by the registry; null: not reported. */
  readonly registrar: string | null
  /** Lower case, without the dot at the end, sorted. */
  readonly nameServers: readonly string[]
}

/**
 * Why there is no answer. `directory`: the registry of any name is unknown. `busy`: the wait would be too long. `limited`: the registry's
 * rate limit. `refused`: the registry refuses us or this query. `unreadable`: the response is no registration, for example a web page.
 * `closed`: its address is not permitted.
 */
export type RegistryFault = 'directory' | 'busy' | 'limited' | 'refused' | 'timeout' | 'unavailable' | 'unreadable' | 'closed'

export type RegistryAnswer =
  | Registration
  /** The name is not registered. */
  | { readonly state: 'not_found' }
  /** The registry of this top-level domain cannot be queried. */
  | { readonly state: 'not_offered' }
  | { readonly state: 'unreachable'; readonly fault: RegistryFault; readonly retryAfterSeconds: number | null }

export interface Registry {
  /** `name`: Punycode, lower case. Takes at most half a minute for a person. Throws only if `signal` aborts. */
  lookUp(name: string, call: RegistryCall): Promise<RegistryAnswer>
  close(): Promise<void>
}

/** By which the parent of a domain signs its key; the digest in upper-case hexadecimal digits. */
export interface DsRecord {
  readonly keyTag: number
  readonly algorithm: number
  readonly digestType: number
  readonly digest: string
}

/** A DS record in public DNS, with the time for which resolvers keep it. */
export interface PublishedDs extends DsRecord {
  readonly ttlSeconds: number
}

/** The public DNS data of a domain. */
export interface Delegation {
  /**
   * The delegated name servers: lower case, without the trailing dot, sorted. Empty: the name does not exist or has none. Null: no answer
   * in time. Never throws; takes at most three seconds.
   */
  findNameServers(name: string): Promise<readonly string[] | null>
  /** The DS records at its parent. Empty: none. Null: no answer in time. Never throws; takes at most three seconds. */
  findDsRecords(name: string): Promise<readonly PublishedDs[] | null>
}
