import { unpackDim } from '#shared/features/domains/dims.ts'
import { isProtected, unpackProtection } from '#shared/features/domains/protection.ts'
import type { Domain, DomainSort, ListedDomain } from '#shared/features/domains/schema.ts'
import { trendOf } from '../traffic/trend.ts'
import type { DomainKey } from './domain-cursor.ts'
import type { DomainRow, ListedRow } from './domain-row.repo.ts'

/** The shared pool returns timestamps in PostgreSQL's format. */
export const isoOf = (written: string): string =>
  written.endsWith('+00')
    ? `${written.slice(0, 10)}T${written.slice(11, 19)}.${written.slice(20, -3).padEnd(3, '0')}Z`
    : new Date(written).toISOString()

type KeyRow = Pick<
  ListedRow,
  'id' | 'name' | 'accountSort' | 'dims' | 'recordsCount' | 'requests' | 'paidUntil' | 'createdAt' | 'updatedAt'
>

/** The position of a row in an order, for a given viewer. */
export function keyOf(row: KeyRow, by: DomainSort['by'], shared: Domain['shared'] = null): DomainKey {
  const { name, id } = row
  switch (by) {
    case 'name':
      return { value: name, name, id }
    case 'account':
      return { value: row.accountSort, name, id }
    case 'status':
      return { value: unpackDim('status', row.dims), name, id }
    case 'sslMode':
      return { value: unpackDim('ssl', row.dims), name, id }
    case 'securityLevel':
      return { value: unpackDim('securityLevel', row.dims), name, id }
    case 'health':
      return { value: unpackDim('health', row.dims), name, id }
    case 'recordsCount':
      return { value: row.recordsCount ?? -1, name, id }
    case 'requests':
      return { value: row.requests ?? -1, name, id }
    case 'paidUntil':
      return { value: shared !== null || row.paidUntil === null ? 'infinity' : isoOf(row.paidUntil), name, id }
    case 'createdAt':
      return { value: isoOf(row.createdAt), name, id }
    case 'updatedAt':
      return { value: isoOf(row.updatedAt), name, id }
  }
}

/** Owner, account and group for the access check. */
export const toAccessTarget = (row: Pick<DomainRow, 'ownerId' | 'accountId' | 'groupId'>) => ({
  ownerId: row.ownerId,
  accountId: row.accountId,
  groupId: row.groupId,
})

/** Lists show at most this many addresses of a domain; its records contain all of them. */
const shownAddresses = 50

const protectionOf = ({ protection }: Pick<DomainRow, 'protection'>) => ({
  botFightMode: isProtected('botFightMode', protection),
  aiBots: unpackProtection('aiBots', protection),
  aiLabyrinth: isProtected('aiLabyrinth', protection),
  managedRobotsTxt: isProtected('managedRobotsTxt', protection),
  dnssecStatus: unpackProtection('dnssec', protection),
})

const originCertificateOf = ({ originState, originExpiresAt }: Pick<ListedRow, 'originState' | 'originExpiresAt'>) => ({
  originCertificate: originState,
  originCertificateExpiresAt: originExpiresAt === null || originState === 'none' ? null : isoOf(originExpiresAt),
})

type TrafficRow = Pick<
  ListedRow,
  'requests' | 'trafficDays' | 'trafficBytes' | 'trafficThreats' | 'trafficClientErrors' | 'trafficServerErrors'
>

function trafficOf(row: TrafficRow): Domain['traffic'] {
  if (row.requests === null || row.trafficDays === null) return null
  return {
    requests: row.requests,
    bytes: row.trafficBytes ?? 0,
    threats: row.trafficThreats ?? 0,
    clientErrors: row.trafficClientErrors ?? 0,
    serverErrors: row.trafficServerErrors ?? 0,
    trend: trendOf(row.trafficDays),
  }
}

/** The panel's zone as a list shows it to a given viewer. */
export const toDomain = (row: DomainRow, shared: Domain['shared']): Domain => ({
  id: row.id,
  ownerId: row.ownerId,
  shared,
  accountId: row.accountId,
  // The registrar is visible to the owner only.
  registrarId: shared === null ? row.registrarId : null,
  groupId: row.groupId,
  zoneId: row.providerZoneId,
  name: row.name,
  displayName: shownName(row),
  status: row.status,
  providerStatus: row.providerStatus,
  paused: row.paused,
  gone: row.gone,
  nameServers: row.nameServers,
  plan: row.plan,
  type: row.type,
  sslMode: row.sslMode,
  tlsMin: row.tlsMin,
  https: row.https,
  hsts: row.hsts,
  securityLevel: row.securityLevel,
  ...protectionOf(row),
  ...originCertificateOf(row),
  proxiedCount: row.proxiedCount,
  recordsCount: row.recordsCount,
  originIPs: row.originIps.slice(0, shownAddresses),
  traffic: trafficOf(row),
  trackerType: row.trackerType,
  developmentMode: row.developmentMode,
  phishingDetected: row.phishing,
  health: row.health,
  account: { email: row.accountEmail, name: row.accountName },
  registrar: shared !== null || row.registrarName === null ? null : { name: row.registrarName },
  paidUntil: shared !== null || row.paidUntil === null ? null : isoOf(row.paidUntil),
  paidSource: shared !== null || row.paidUntil === null ? null : row.paidByRegistry ? 'registry' : 'registrar',
  paidReadAt: shared !== null || row.paidReadAt === null ? null : isoOf(row.paidReadAt),
  autoRenew: shared === null ? row.autoRenew : null,
  group: row.groupName === null ? null : { name: row.groupName, color: row.groupColor, icon: row.groupIcon },
  createdAt: isoOf(row.createdAt),
  updatedAt: isoOf(row.updatedAt),
  listedAt: isoOf(row.listedAt),
})

/** The same object for equal ids, so that a packed page sends it once. */
function distinct<T>(): (id: string | null, make: () => T) => T {
  const known = new Map<string | null, T>()
  return (id, make) => {
    const made = known.get(id) ?? make()
    known.set(id, made)
    return made
  }
}

/** Rows of one page of the panel's list, each for a given viewer. */
export function toListed(rows: readonly ListedRow[], sharing: (row: ListedRow) => Domain['shared']): ListedDomain[] {
  const accounts = distinct<ListedDomain['account']>()
  const groups = distinct<ListedDomain['group']>()
  const registrars = distinct<ListedDomain['registrar']>()
  const shares = distinct<Domain['shared']>()
  return rows.map((row) => {
    const found = sharing(row)
    const shared = found === null ? null : shares(`${found.level} ${found.by}`, () => found)
    return {
      id: row.id,
      ownerId: row.ownerId,
      accountId: row.accountId,
      groupId: row.groupId,
      registrarId: shared === null ? row.registrarId : null,
      shared,
      name: row.name,
      displayName: row.unicodeName ?? row.name,
      status: row.status,
      providerStatus: row.providerStatus,
      paused: row.paused,
      gone: row.gone,
      sslMode: row.sslMode,
      tlsMin: row.tlsMin,
      https: row.https,
      securityLevel: row.securityLevel,
      ...protectionOf(row),
      ...originCertificateOf(row),
      proxiedCount: row.proxiedCount,
      recordsCount: row.recordsCount,
      originIPs: row.originIps.slice(0, shownAddresses),
      traffic: trafficOf(row),
      trackerType: row.trackerType,
      developmentMode: row.developmentMode,
      phishingDetected: row.phishing,
      health: row.health,
      account: accounts(row.accountId, () => ({ email: row.accountEmail, name: row.accountName })),
      // The registrar is visible to the owner only.
      registrar:
        shared !== null || row.registrarName === null ? null : registrars(row.registrarId, () => ({ name: row.registrarName ?? '' })),
      paidUntil: shared !== null || row.paidUntil === null ? null : isoOf(row.paidUntil),
      group:
        row.groupName === null
          ? null
          : groups(row.groupId, () => ({ name: row.groupName ?? '', color: row.groupColor, icon: row.groupIcon })),
      createdAt: isoOf(row.createdAt),
      updatedAt: isoOf(row.updatedAt),
    }
  })
}

/** `search` has the Unicode form on its second line. */
export const shownName = (row: { readonly name: string; readonly search: string }): string =>
  row.search.length > row.name.length ? row.search.slice(row.name.length + 1) : row.name
