interface Registrar {
  readonly name: string
  readonly type: string
}

/** The registrar at which the name servers of the new domain were set; null if they still have to be set manually. */
export function serversSetAt(registrar: Registrar | undefined, problems: readonly { readonly part: string }[]): string | null {
  if (registrar?.type !== 'API_ENABLED') return null
  // A registrar that could not be attached was not called.
  return problems.some(({ part }) => part === 'registrar' || part === 'name_servers') ? null : registrar.name
}
