import type { Database } from '#server/db/client.ts'

interface Section {
  /** The exported columns: no hash, no token, and nothing encrypted except contacts, which are decrypted. */
  readonly columns: string
  readonly from: string
  /** Owner condition. */
  readonly owner: string
  /** The sort and cursor key; the table's primary key. */
  readonly key: string
  /** `key` parsed from its text (`$2`). */
  readonly after: string
}

const byId = (from: string, columns: string, owner = 't.owner_id'): Section => ({ from, owner, columns, key: 't.id', after: '$2::uuid' })
/** Data of domains, at most one row per domain. */
const byDomain = (from: string, columns: string): Section => ({
  from: `zones z join ${from} on t.zone_id = z.id`,
  owner: 'z.owner_id',
  columns: `t.zone_id as domain_id, ${columns}`,
  key: 't.zone_id',
  after: '$2::uuid',
})

/** The column name of an encrypted contact. */
export const encryptedDetails = 'sealed_details'

/** A person's data, one list each; those of the activity log follow. */
const sections = {
  accounts: byId('accounts t', 't.id, t.name, t.email, t.kind, t.health, t.synced_at, t.created_at'),
  redirects: {
    from: 'accounts a join redirects t on t.account_id = a.id',
    owner: 'a.owner_id',
    columns:
      't.account_id, t.source, t.target, t.status, t.preserve_query_string, t.include_subdomains, t.subpath_matching, t.preserve_path_suffix',
    key: '(t.account_id, t.key)',
    after: "(split_part($2, ',', 1)::uuid, split_part($2, ',', 2))",
  },
  groups: byId('groups t', 't.id, t.name, t.description, t.icon, t.color, t.created_at'),
  profiles: byId(
    'profiles t',
    't.id, t.name, t.is_default, t.settings, t.records, t.rules, t.variables, t.version, t.created_at, t.updated_at',
  ),
  domains: byId(
    'zones t',
    `t.id, t.zone_id, t.name, t.account_id, t.account_email, t.group_id, t.registrar_id, t.status, t.provider_status, t.paused, t.type, t.plan, t.name_servers,
    t.ssl_mode, t.tls_min, t.https, t.hsts, t.security_level, t.development_mode, t.origin_ips, t.health, t.tracker_type, t.paid_until, t.auto_renew,
    t.activated_at, t.provider_created_at, t.provider_modified_at, t.created_at`,
  ),
  records: {
    from: 'zones z join dns_records t on t.zone_id = z.id',
    owner: 'z.owner_id',
    columns:
      't.zone_id as domain_id, t.record_id, t.type, t.name, t.content, t.ttl, t.proxied, t.priority, t.comment, t.tags, t.data, t.modified_at',
    key: '(t.zone_id, t.record_id)',
    after: "(split_part($2, ',', 1)::uuid, split_part($2, ',', 2))",
  },
  missing_records: {
    from: 'zones z join missing_records t on t.zone_id = z.id',
    owner: 'z.owner_id',
    columns: "t.zone_id as domain_id, t.record_id, t.record - 'zone_id' - 'record_id' as record",
    key: '(t.zone_id, t.record_id)',
    after: "(split_part($2, ',', 1)::uuid, split_part($2, ',', 2))",
  },
  domain_settings: byDomain('zone_settings t', 't.values, t.read_at'),
  domain_ip_access: byDomain('zone_ip_rules t', 't.rules, t.read_at'),
  ip_access_expiries: {
    from: 'accounts a join ip_rule_expiries t on t.account_id = a.id',
    owner: 'a.owner_id',
    columns: 't.account_id, t.zone_id as domain_id, t.rule_id, t.mode, t.expires_at',
    key: '(t.account_id, t.rule_id)',
    after: "(split_part($2, ',', 1)::uuid, split_part($2, ',', 2))",
  },
  abuse_reports: byId(
    'abuse_reports t',
    't.id, t.account_id, t.report_id, t.reported_at, t.domain, t.kind, t.status, t.justification, t.original_work, t.submitter, t.urls, t.mitigations, t.state, t.assignee_id, t.due_on, t.note',
  ),
  abuse_appeals: byId(
    'abuse_reports r join abuse_appeals t on t.report_id = r.id',
    't.id, t.report_id as abuse_report_id, t.mitigation_ids, t.reason, t.state, t.message, t.sent_by, t.sent_at',
    'r.owner_id',
  ),
  provider_changes: byId(
    'provider_changes t',
    't.id, t.account_id, t.changed_at, t.read_at, t.kind, t.action, t.actor, t.token_name, t.via, t.address, t.product, t.subject, t.provider_zone_id, t.zone_name, t.is_own',
  ),
  allowed_changes: byId('allowed_changes t', 't.id, t.actor, t.kind, t.account_id, t.group_id, t.reason, t.created_at'),
  domain_rules: byDomain('zone_rulesets t', 't.rulesets, t.page_rules, t.read_at'),
  domain_origin_certificates: byId(
    'zones z join origin_certificates t on t.zone_id = z.id',
    't.id, t.zone_id as domain_id, t.serial, t.hostnames, t.type, t.validity_days, t.expires_at, t.certificate, t.created_at',
    'z.owner_id',
  ),
  domain_profiles: byDomain('zone_profiles t', 't.profile_id, t.applied_at, t.version'),
  domain_profile_values: {
    from: 'zones z join zone_profile_values t on t.zone_id = z.id',
    owner: 'z.owner_id',
    columns: 't.zone_id as domain_id, t.profile_id, t.values',
    key: '(t.zone_id, t.profile_id)',
    after: "(split_part($2, ',', 1)::uuid, split_part($2, ',', 2)::uuid)",
  },
  group_profile_values: {
    from: 'groups g join group_profile_values t on t.group_id = g.id',
    owner: 'g.owner_id',
    columns: 't.group_id, t.profile_id, t.values',
    key: '(t.group_id, t.profile_id)',
    after: "(split_part($2, ',', 1)::uuid, split_part($2, ',', 2)::uuid)",
  },
  domain_history: byId(
    'zones z join zone_changes t on t.zone_id = z.id',
    't.id, t.zone_id as domain_id, t.at, t.source, t.actor_name, t.subject, t.key, t.label, t.before, t.after, t.reverts_id',
    'z.owner_id',
  ),
  account_history: byId(
    'accounts a join account_changes t on t.account_id = a.id',
    't.id, t.account_id, t.at, t.source, t.actor_name, t.subject, t.key, t.label, t.before, t.after, t.reverts_id',
    'a.owner_id',
  ),
  registrars: byId(
    'registrars t',
    't.id, t.name, t.type, t.provider, t.company, t.sandbox, t.api_url, t.account_email, t.balance_minor, t.balance_currency, t.created_at',
  ),
  registrar_names: byId(
    'registrars r join registrar_names t on t.registrar_id = r.id',
    't.id, t.registrar_id, t.name, t.status, t.registered_at, t.expires_at, t.auto_renew, t.locked, t.name_servers',
    'r.owner_id',
  ),
  contacts: byId('contacts t', `t.id, t.name, t.is_default, t.details_sealed as ${encryptedDetails}, t.created_at, t.updated_at`),
  purchases: byId(
    'purchases t',
    't.id, t.registrar_id, t.operation_id, t.name, t.state, t.years, t.price_minor, t.charged_minor, t.currency, t.order_id, t.sent_at, t.bought_at, t.created_at',
  ),
  trackers: byId('trackers t', 't.id, t.kind, t.name, t.url, t.is_default, t.addresses, t.created_at'),
  tracker_bindings: byDomain('tracker_bindings t', 't.tracker_id, t.remote_id, t.bound_at'),
  reserve_domains: {
    from: 'reserve_domains t',
    owner: 't.owner_id',
    columns: 't.zone_id as domain_id, t.group_id, t.note, t.added_at',
    key: 't.zone_id',
    after: '$2::uuid',
  },
  monitoring_settings: {
    from: 'monitor_settings t',
    owner: 't.owner_id',
    columns: 't.enabled, t.regions, t.interval_minutes, t.options, t.notices, t.quiet_hours, t.second_opinion, t.language, t.bot_name',
    key: 't.owner_id',
    after: '$2::uuid',
  },
  group_monitoring: {
    from: 'groups g join monitor_overrides t on t.group_id = g.id',
    owner: 'g.owner_id',
    columns: 't.group_id, t.override, t.updated_at',
    key: 't.group_id',
    after: '$2::uuid',
  },
  monitored_domains: byDomain(
    'zone_monitors t',
    't.interval_seconds, t.regions, t.paused_until, t.muted_until, t.health, t.reasons, t.since, t.cert_expires_at, t.created_at',
  ),
  alert_channels: byId(
    'alert_channels t',
    't.id, t.kind, t.name, t.enabled, t.main, t.chat_id, t.topic_id, t.url as webhook_host, t.group_ids, t.critical_only, t.created_at',
  ),
  maintenance_windows: byId(
    'maintenance_windows t',
    't.id, t.name, t.group_id, t.zone_ids as domain_ids, t.starts_at, t.ends_at, t.repeat',
  ),
  status_pages: byId('status_pages t', 't.id, t.group_id, t.slug, t.title, t.enabled, t.created_at'),
  incidents: byId(
    'incidents t',
    't.id, t.zone_id as domain_id, t.name, t.health, t.reasons, t.cause, t.opened_at, t.closed_at, t.acknowledged_at, t.timeline',
  ),
  operations: byId('operations t', 't.id, t.kind, t.state, t.actor_name, t.total, t.counts, t.created_at, t.started_at, t.finished_at'),
  shares: byId('shares t', 't.id, t.grantee_id, t.group_id, t.account_id, t.registrar_id, t.tracker_id, t.level, t.created_at'),
  api_tokens: byId('api_tokens t', 't.id, t.name, t.scope, t.expires_at, t.last_used_at, t.last_address, t.created_at', 't.user_id'),
  passkeys: byId('passkeys t', 't.id, t.name, t.last_used_at, t.created_at', 't.user_id'),
  sign_ins: {
    from: 'sessions t',
    owner: 't.user_id',
    columns: 't.address, t.user_agent, t.created_at, t.last_used_at, t.expires_at',
    key: 't.id',
    after: '$2',
  },
} as const satisfies Record<string, Section>

export type SectionName = keyof typeof sections
export const sectionNames = Object.keys(sections) as SectionName[]

export interface ExportedRow {
  /** The row as JSON text. */
  readonly row: string
  /** The cursor. */
  readonly key: string
}

/** Rows of a list in key order, at most `limit`, after a key or from the first. */
export async function listRows(
  { sql }: Pick<Database, 'sql'>,
  ownerId: string,
  name: SectionName,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ExportedRow[]> {
  const section: Section = sections[name]
  const further = after === null ? '' : `and ${section.key} > ${section.after}`
  // A two-column key in PostgreSQL's row notation: `(one,other)`.
  return sql.unsafe<ExportedRow[]>(
    `select row_to_json(exported_row)::text as row, btrim((${section.key})::text, '()') as key
    from ${section.from} cross join lateral (select ${section.columns}) exported_row
    where ${section.owner} = $1::uuid ${further} order by ${section.key} limit ${limit}`,
    after === null ? [ownerId] : [ownerId, after],
  )
}
