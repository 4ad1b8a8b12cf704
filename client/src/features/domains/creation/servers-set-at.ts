interface Registrar {
  readonly name: string
  readonly type: string
}

/** The registrar at which the name servers of the new domain were set; null when they are still to be set by hand. */
export function serversSetAt(registrar: Registrar | undefined, problems: readonly { readonly part: string }[]): string | null {
  if (registrar?.type !== 'API_ENABLED') return null
  // a registrar that the domain could not be attached to was not asked
  return problems.some(({ part }) => part === 'registrar' || part === 'name_servers') ? null : registrar.name
}
