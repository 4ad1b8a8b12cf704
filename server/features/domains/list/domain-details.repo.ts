import { z } from 'zod'
import type { Database, Joined, RawRow } from '#server/db/client.ts'
import type { zones, zoneSettings, zoneSsl } from '#server/db/schema/index.ts'
import { batchLookups } from '#server/platform/batch-lookups.ts'
import { columns, joined } from './domain-row.repo.ts'
import type { DomainRow } from './domain-row.repo.ts'

/** What `sync` stores of the provider's answer; may be written by any version of the panel. */
const writtenDetails = z.object({
  account: z
    .object({ id: z.string(), name: z.string().nullable().catch(null) })
    .nullable()
    .catch(null),
  originalNameServers: z.array(z.string()).catch([]),
  originalRegistrar: z.string().nullable().catch(null),
  originalDnsHost: z.string().nullable().catch(null),
  verificationKey: z.string().nullable().catch(null),
  cnameSuffix: z.string().nullable().catch(null),
  vanityNameServers: z.array(z.string()).catch([]),
  pageRuleQuota: z.int().nullable().catch(null),
  customCertificateQuota: z.int().nullable().catch(null),
})
const writtenCertificates = z.array(z.object({ state: z.string(), expiresAt: z.string().nullable() })).catch([])

type DetailsRow = DomainRow &
  RawRow<typeof zones, 'details' | 'activatedAt' | 'providerModifiedAt' | 'recordsReadAt' | 'settingsReadAt'> &
  Joined<typeof zoneSettings, 'pageRulesUsed'> &
  Joined<typeof zoneSsl, 'universalEnabled'> & {
    certificates: unknown
    recordsChangedAt: string | null
    sslReadAt: string | null
    rulesCount: number | null
  }

/** All stored data of zones except records and settings, of any owner. */
export const detailsStatement = (ids: readonly string[]) => ({
  text: `select ${columns}, z.details, z.activated_at, z.provider_modified_at, z.records_read_at, z.settings_read_at, s.page_rules_used,
      (select h.at from zone_changes h where h.zone_id = z.id and h.subject = 'record' order by h.at desc, h.id desc limit 1)
        as records_changed_at,
      (select (select count(*) from jsonb_path_query(k.rulesets, '$[*].rules[*]')) + (select count(*) from jsonb_path_query(k.page_rules, '$.rules[*]'))
        + (select count(*) from zone_ip_rules i cross join jsonb_path_query(i.rules, '$[*]') where i.zone_id = z.id) from zone_rulesets k
        where k.zone_id = z.id)::int as rules_count,
      c.universal_enabled, c.certificates, c.read_at as ssl_read_at
    from unnest($1::uuid[]) k(id) join zones z on z.id = k.id
    ${joined}
    left join zone_settings s on s.zone_id = z.id left join zone_ssl c on c.zone_id = z.id`,
  parameters: [ids],
})

/** Look-ups at the same moment share one statement. */
function createDetailsLookup(db: Database) {
  return batchLookups(async (ids) => {
    const { text, parameters } = detailsStatement(ids)
    const rows = await db.sql.unsafe<DetailsRow[]>(text, parameters as never[], { prepare: true })
    return new Map(rows.map((row) => [row.id, row]))
  })
}
const detailsLookups = new WeakMap<Database, ReturnType<typeof createDetailsLookup>>()

/** Includes the fields that lists omit, of any owner; null if the zone no longer exists. */
export async function findDetails(db: Database, id: string) {
  const lookup = detailsLookups.get(db) ?? createDetailsLookup(db)
  detailsLookups.set(db, lookup)
  const row = await lookup(id.toLowerCase())
  if (row === undefined) return null
  const { account, ...details } = writtenDetails.parse(row.details)
  return { row, details: { ...details, providerAccount: account }, certificates: writtenCertificates.parse(row.certificates ?? []) }
}
