import type { ListedDomain, DomainFilter } from '#shared/features/domains/schema.ts'

/** The filters that can be tested on a row; the others need the server. */
const tests: Partial<Record<keyof DomainFilter, (row: ListedDomain, filter: DomainFilter) => boolean>> = {
  search: ({ name, displayName }, { search = '' }) => `${name} ${displayName.toLowerCase()}`.includes(search.toLowerCase()),
  accountIds: ({ accountId }, { accountIds }) => accountIds?.includes(accountId) === true,
  groupIds: ({ groupId }, { groupIds }) => groupId !== null && groupIds?.includes(groupId) === true,
  status: (row, { status }) => row.status === status,
  ssl: ({ sslMode }, { ssl }) => (ssl === 'on' ? sslMode !== null && sslMode !== 'off' : sslMode === ssl),
  https: (row, { https }) => row.https === (https === 'enabled'),
  securityLevel: (row, { securityLevel }) => row.securityLevel === securityLevel,
  tlsMin: (row, { tlsMin }) => row.tlsMin === tlsMin,
  health: (row, { health }) => row.health === health,
  ownerId: (row, { ownerId }) => row.ownerId === ownerId,
  botFightMode: (row, { botFightMode }) => row.botFightMode === (botFightMode === 'enabled'),
  aiBots: (row, { aiBots }) => row.aiBots === aiBots,
  aiLabyrinth: (row, { aiLabyrinth }) => row.aiLabyrinth === (aiLabyrinth === 'enabled'),
  managedRobotsTxt: (row, { managedRobotsTxt }) => row.managedRobotsTxt === (managedRobotsTxt === 'enabled'),
  originCertificate: (row, { originCertificate }) => row.originCertificate === originCertificate,
  // Rows do not have when a domain was activated.
  traffic: (row, { traffic }) =>
    row.traffic !== null && row.traffic.requests > 0 === (traffic !== 'none') && (traffic !== 'ungrouped' || row.groupId === null),
  dnssec: ({ dnssecStatus }, { dnssec }) => dnssecStatus === dnssec,
}

/** The loaded rows that match; null if the filter needs the server. */
export function loadedMatches(rows: readonly ListedDomain[], filter: DomainFilter): readonly ListedDomain[] | null {
  if (filter.traffic === 'idle') return null
  const asked = (Object.keys(filter) as (keyof DomainFilter)[]).filter((key) => filter[key] !== undefined).map((key) => tests[key])
  return asked.includes(undefined) ? null : rows.filter((row) => asked.every((test) => test?.(row, filter)))
}
