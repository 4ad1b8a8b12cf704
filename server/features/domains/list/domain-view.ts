import type { Domain, DomainSort } from '#shared/features/domains/schema.ts'
import type { DomainKey } from './domain-cursor.ts'
import type { DomainRow } from './domains.repo.ts'

/** The shared pool hands instants over as PostgreSQL writes them. */
export const isoOf = (written: string): string =>
  written.endsWith('+00')
    ? `${written.slice(0, 10)}T${written.slice(11, 19)}.${written.slice(20, -3).padEnd(3, '0')}Z`
    : new Date(written).toISOString()

/** A row's place in an order, for one of those who see it. */
export function keyOf(row: DomainRow, by: DomainSort['by'], shared: Domain['shared'] = null): DomainKey {
  const { name, id } = row
  switch (by) {
    case 'name':
      return { value: name, name, id }
    case 'account':
      return { value: row.account_sort, name, id }
    case 'status':
      return { value: row.dims & 3, name, id }
    case 'sslMode':
      return { value: (row.dims >> 2) & 7, name, id }
    case 'securityLevel':
      return { value: (row.dims >> 7) & 7, name, id }
    case 'health':
      return { value: (row.dims >> 13) & 3, name, id }
    case 'recordsCount':
      return { value: row.records_count ?? -1, name, id }
    case 'paidUntil':
      return { value: shared !== null || row.paid_until === null ? 'infinity' : isoOf(row.paid_until), name, id }
    case 'createdAt':
      return { value: isoOf(row.provider_created_at ?? row.created_at), name, id }
    case 'updatedAt':
      return { value: isoOf(row.provider_modified_at ?? row.created_at), name, id }
  }
}

/** Whose it is. */
export const thingOf = (row: DomainRow) => ({ ownerId: row.owner_id, accountId: row.account_id, groupId: row.group_id })

/** Of a domain with more addresses; all of them are in its records. */
const shownAddresses = 50

/** The panel's zone as lists show it to one of those who see it. */
export const toDomain = (row: DomainRow, shared: Domain['shared']): Domain => ({
  id: row.id,
  ownerId: row.owner_id,
  shared,
  accountId: row.account_id,
  // Domains name their registrars to their owner only.
  registrarId: shared === null ? row.registrar_id : null,
  groupId: row.group_id,
  zoneId: row.zone_id,
  name: row.name,
  displayName: shownName(row),
  status: row.status,
  providerStatus: row.provider_status,
  paused: row.paused,
  gone: row.gone_at !== null,
  nameServers: row.name_servers,
  plan: row.plan,
  type: row.type,
  sslMode: row.ssl_mode,
  tlsMin: row.tls_min,
  https: row.https,
  hsts: row.hsts,
  securityLevel: row.security_level,
  proxiedCount: row.proxied_count,
  recordsCount: row.records_count,
  originIPs: row.origin_ips.slice(0, shownAddresses),
  trackerType: row.tracker_type,
  developmentMode: row.development_mode,
  phishingDetected: row.phishing,
  health: row.health,
  account: { email: row.account_email, name: row.account_name },
  registrar: shared !== null || row.registrar_name === null ? null : { name: row.registrar_name },
  paidUntil: shared !== null || row.paid_until === null ? null : isoOf(row.paid_until),
  paidSource: shared !== null || row.paid_until === null ? null : row.paid_by_registry ? 'registry' : 'registrar',
  paidReadAt: shared !== null || row.paid_read_at === null ? null : isoOf(row.paid_read_at),
  autoRenew: shared === null ? row.auto_renew : null,
  group: row.group_name === null ? null : { name: row.group_name, color: row.group_color, icon: row.group_icon },
  createdAt: isoOf(row.provider_created_at ?? row.created_at),
  updatedAt: isoOf(row.provider_modified_at ?? row.created_at),
  listedAt: isoOf(row.listed_at),
})

/** `search` has the Unicode form on its second line. */
export const shownName = (row: { readonly name: string; readonly search: string }): string =>
  row.search.length > row.name.length ? row.search.slice(row.name.length + 1) : row.name
