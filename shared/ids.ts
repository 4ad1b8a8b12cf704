// Nominal types: a plain string is accepted as either, but neither is accepted where the other is expected.

/** Id of a domain in the panel: of its row in `zones`. */
export type DomainId = string & { readonly idOf?: 'domain' }

/** Id of a zone at the provider. */
export type ProviderZoneId = string & { readonly idOf?: 'zone at the provider' }
