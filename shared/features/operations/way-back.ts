import type { OperationKindName } from './schema.ts'

/**
 * How what an operation did is taken back: as a whole, by an operation of its own; domain by domain, from their histories; not at all; or there is nothing to
 * take back, as it only looks.
 */
export type WayBack = 'whole' | 'by_domain' | 'none' | 'nothing'

const ways: Readonly<Record<OperationKindName, WayBack>> = {
  settings: 'whole',
  ip: 'whole',
  dns_add: 'whole',
  dns_delete: 'whole',
  dns_replace: 'whole',
  dns_edit: 'whole',
  profile: 'whole',
  group: 'whole',
  registrar: 'whole',
  create: 'whole',
  delete: 'whole',
  tracker_bind: 'whole',
  tracker_unbind: 'whole',
  name_servers: 'whole',
  auto_renew: 'whole',
  replace: 'by_domain',
  undo: 'by_domain',
  purge: 'none',
  buy: 'none',
  renew: 'none',
  tracker_archive: 'none',
  refresh: 'nothing',
  tracker_check: 'nothing',
}

/** Of a kind that nobody knows any more: not at all. */
export const wayBackOf = (kind: string): WayBack => (Object.hasOwn(ways, kind) ? ways[kind as OperationKindName] : 'none')
