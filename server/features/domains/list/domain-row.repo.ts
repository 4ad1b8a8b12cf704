import { zones } from '#server/db/schema/index.ts'
import type { RawRow } from '#server/db/client.ts'
import type { OriginCertificateState } from '#shared/features/domains/origin-certificates/choices.ts'
import { originStateSql } from './filter-conditions.ts'

/** The columns of a zone that lists show. */
const ownColumns = [
  'id',
  'ownerId',
  'accountId',
  'groupId',
  'registrarId',
  'providerZoneId',
  'name',
  'search',
  'status',
  'providerStatus',
  'paused',
  'type',
  'plan',
  'nameServers',
  'sslMode',
  'tlsMin',
  'https',
  'hsts',
  'securityLevel',
  'protection',
  'originExpiresAt',
  'developmentMode',
  'recordsCount',
  'proxiedCount',
  'originIps',
  'requests',
  'health',
  'trackerType',
  'phishing',
  'listedAt',
  'dims',
  'paidUntil',
  'paidByRegistry',
  'autoRenew',
] as const satisfies readonly (keyof typeof zones.$inferSelect)[]

export type DomainRow = RawRow<typeof zones, (typeof ownColumns)[number]> & {
  /** Records or settings are due but not queued yet. */
  unread: boolean
  gone: boolean
  /** The provider's times, or else when the panel found the zone. */
  createdAt: string
  updatedAt: string
  accountSort: string
  accountEmail: string
  accountName: string | null
  groupName: string | null
  groupColor: string | null
  groupIcon: string | null
  registrarName: string | null
  originState: OriginCertificateState | null
  /** Requests by day; null with `requests` until its traffic is read. */
  trafficDays: number[] | null
  trafficBytes: number | null
  trafficThreats: number | null
  trafficClientErrors: number | null
  trafficServerErrors: number | null
  paidReadAt: string | null
}

const named = (column: (typeof ownColumns)[number]) => `z.${zones[column].name} as "${column}"`

const computed = `coalesce(z.wanted_at is null and least(z.records_due_at, z.settings_due_at) <= now(), false) as unread,
  z.gone_at is not null as gone, coalesce(z.provider_created_at, z.created_at) as created_at,
  coalesce(z.provider_modified_at, z.created_at) as updated_at, z.account_email as account_sort,
  a.email as account_email, a.name as account_name, g.name as group_name, g.color as group_color, g.icon as group_icon,
  r.name as registrar_name, ${originStateSql} as origin_state,
  f.days as traffic_days, f.bytes as traffic_bytes, f.threats as traffic_threats, f.client_errors as traffic_client_errors,
  f.server_errors as traffic_server_errors`

/** The columns of a `DomainRow`, from zones `z` and the tables of `joined`. */
export const columns = `${ownColumns.map(named).join(', ')}, ${computed},
  case when z.paid_by_registry then (select e.read_at from registry_names e where e.name = z.name)
    when z.paid_until is not null then (select n.seen_at from registrar_names n where n.registrar_id = z.registrar_id and n.name = z.name)
  end as paid_read_at`

/** What a statement selects of the zones `z`, and the tables it joins for that. */
export interface RowShape<Row> {
  readonly columns: string
  readonly joined: string
  /** Only for the type checker. */
  readonly row?: Row
}

export const joined = `join accounts a on a.id = z.account_id left join groups g on g.id = z.group_id left join registrars r on r.id = z.registrar_id
  left join zone_traffic f on f.zone_id = z.id`

export const wholeRow: RowShape<DomainRow> = { columns, joined }

/** The columns that the panel's list shows. */
const listedColumns = [
  'id',
  'ownerId',
  'accountId',
  'groupId',
  'registrarId',
  'name',
  'status',
  'providerStatus',
  'paused',
  'sslMode',
  'tlsMin',
  'https',
  'securityLevel',
  'protection',
  'originExpiresAt',
  'developmentMode',
  'recordsCount',
  'proxiedCount',
  'originIps',
  'requests',
  'health',
  'trackerType',
  'phishing',
  'dims',
  'paidUntil',
] as const satisfies readonly (typeof ownColumns)[number][]

export type ListedRow = Omit<DomainRow, Exclude<(typeof ownColumns)[number], (typeof listedColumns)[number]> | 'paidReadAt'> & {
  /** The Unicode form of the name; null if it is the same. */
  unicodeName: string | null
}

export const listedRow: RowShape<ListedRow> = {
  columns: `${listedColumns.map(named).join(', ')}, ${computed},
  case when z.search <> z.name then substr(z.search, length(z.name) + 2) end as unicode_name`,
  joined,
}
