import { zones } from '#server/db/schema/index.ts'
import type { RawRow } from '#server/db/client.ts'

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
  'developmentMode',
  'recordsCount',
  'proxiedCount',
  'originIps',
  'health',
  'trackerType',
  'phishing',
  'providerCreatedAt',
  'providerModifiedAt',
  'createdAt',
  'goneAt',
  'listedAt',
  'dims',
  'paidUntil',
  'paidByRegistry',
  'autoRenew',
] as const satisfies readonly (keyof typeof zones.$inferSelect)[]

export type DomainRow = RawRow<typeof zones, (typeof ownColumns)[number]> & {
  /** Records or settings are due but not queued yet. */
  unread: boolean
  accountSort: string
  accountEmail: string
  accountName: string | null
  groupName: string | null
  groupColor: string | null
  groupIcon: string | null
  registrarName: string | null
  paidReadAt: string | null
}

/** The columns of a `DomainRow`, from zones `z` and the tables of `joined`. */
export const columns = `${ownColumns.map((column) => `z.${zones[column].name} as "${column}"`).join(', ')},
  coalesce(z.wanted_at is null and least(z.records_due_at, z.settings_due_at) <= now(), false) as unread,
  z.account_email as account_sort, a.email as account_email, a.name as account_name,
  g.name as group_name, g.color as group_color, g.icon as group_icon, r.name as registrar_name,
  case when z.paid_by_registry then (select e.read_at from registry_names e where e.name = z.name)
    when z.paid_until is not null then (select n.seen_at from registrar_names n where n.registrar_id = z.registrar_id and n.name = z.name)
  end as paid_read_at`

export const joined = `join accounts a on a.id = z.account_id left join groups g on g.id = z.group_id left join registrars r on r.id = z.registrar_id`
