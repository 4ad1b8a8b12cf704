export interface Route {
  readonly groupIds: readonly string[] | null
  readonly criticalOnly: boolean
}

interface Routed {
  readonly domainId: string | null
  readonly groupId: string | null
  readonly health: 'warnings' | 'critical'
}

/** The channels for an incident. One without a domain goes to channels for all domains, or if there are none, to every channel. */
export function routesOf<R extends Route>(channels: readonly R[], { domainId, groupId, health }: Routed): readonly R[] {
  const grave = channels.filter(({ criticalOnly }) => health === 'critical' || !criticalOnly)
  const all = grave.filter(({ groupIds }) => groupIds === null)
  if (domainId === null) return all.length > 0 ? all : grave
  return grave.filter(({ groupIds }) => groupIds === null || (groupId !== null && groupIds.includes(groupId)))
}
