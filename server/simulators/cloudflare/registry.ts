import type { State } from './state.ts'

/** Who the registry of the simulated world points to: an active zone's name servers, or what the registrar still says of others. */
export function registryOf(state: State): (name: string) => readonly string[] | null {
  return (name) => {
    const zones = state.zonesNamed(name)
    const active = zones.find((zone) => zone.status === 'active')
    if (active !== undefined) return active.nameServers
    return state.registrarNameServers.get(name) ?? zones[0]?.originalNameServers ?? null
  }
}
