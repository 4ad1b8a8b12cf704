/** Anyone who keeps the names of a top-level domain and can be asked, by everybody, until when one is registered. */

export interface RegistryCall {
  /** A person waits for it; everything else comes after. */
  readonly priority: 'person' | 'sync'
  readonly signal?: AbortSignal
}

export interface Registration {
  readonly state: 'found'
  /** Null: the registry does not report. */
  readonly expiresAt: Date | null
  /** As the registry writes them: `client transfer prohibited`. */
  readonly statuses: readonly string[]
  /** Who sold it, as the registry writes it; null: it does not report. */
  readonly registrar: string | null
  /** Lower case, without the dot at the end, sorted. */
  readonly nameServers: readonly string[]
}

/**
 * Why there is no answer. `directory`: it is not known which registry to ask, for any name. `busy`: it would have to wait too long for its turn. `limited`: the registry wants to be
 * left unchanged. `refused`: it does not answer us, or not this question. `unreadable`: what it answered is no registration, a web page for one. `closed`: its address
 * is one that the panel does not go to.
 */
export type RegistryFault = 'directory' | 'busy' | 'limited' | 'refused' | 'timeout' | 'unavailable' | 'unreadable' | 'closed'

export type RegistryAnswer =
  | Registration
  /** The registry does not know the name. */
  | { readonly state: 'not_found' }
  /** This top-level domain's registry cannot be asked. */
  | { readonly state: 'not_offered' }
  | { readonly state: 'unreachable'; readonly fault: RegistryFault; readonly retryAfterSeconds: number | null }

export interface Registry {
  /** `name`: punycode, lower case. Takes half a minute at most for a person. Throws only when `signal` aborts. */
  lookUp(name: string, call: RegistryCall): Promise<RegistryAnswer>
  close(): Promise<void>
}

/** What the world's DNS says of a domain. */
export interface Delegation {
  /**
   * The name servers that resolvers are led to: lower case, without the dot at the end, sorted. Empty: the name does not exist or has
   * none. Null: no answer in time. Never throws; takes three seconds at most.
   */
  findNameServers(name: string): Promise<readonly string[] | null>
}
