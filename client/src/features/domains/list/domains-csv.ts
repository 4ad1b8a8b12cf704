import { csvFile } from '#shared/csv.ts'
import type { Domain } from '#shared/features/domains/schema.ts'

/** Column headers are field names, the same in every language, so that scripts can read the file. */
const fields = {
  domain: (row) => row.displayName,
  punycode: (row) => row.name,
  status: (row) => row.status,
  account: (row) => row.account.email,
  accountName: (row) => row.account.name,
  group: (row) => row.group?.name,
  ssl: (row) => row.sslMode,
  tlsMin: (row) => row.tlsMin,
  https: (row) => row.https,
  securityLevel: (row) => row.securityLevel,
  botFightMode: (row) => row.botFightMode,
  aiBots: (row) => row.aiBots,
  aiLabyrinth: (row) => row.aiLabyrinth,
  managedRobotsTxt: (row) => row.managedRobotsTxt,
  dnssec: (row) => row.dnssecStatus,
  originCertificate: (row) => row.originCertificate,
  originCertificateExpiresAt: (row) => row.originCertificateExpiresAt,
  originIPs: (row) => row.originIPs.join(' '),
  records: (row) => row.recordsCount,
  requests: (row) => row.traffic?.requests,
  bytes: (row) => row.traffic?.bytes,
  threats: (row) => row.traffic?.threats,
  clientErrors: (row) => row.traffic?.clientErrors,
  serverErrors: (row) => row.traffic?.serverErrors,
  health: (row) => row.health,
  tracker: (row) => row.trackerType,
  nameServers: (row) => row.nameServers.join(' '),
  plan: (row) => row.plan,
  registrar: (row) => row.registrar?.name,
  paidUntil: (row) => row.paidUntil,
  paidSource: (row) => row.paidSource,
  paidReadAt: (row) => row.paidReadAt,
  createdAt: (row) => row.createdAt,
  updatedAt: (row) => row.updatedAt,
  zoneId: (row) => row.zoneId,
  id: (row) => row.id,
} satisfies Record<string, (row: Domain) => string | number | boolean | null | undefined>

export const domainsCsv = (rows: readonly Domain[]): string =>
  csvFile([Object.keys(fields), ...rows.map((row) => Object.values(fields).map((field) => field(row)))])
