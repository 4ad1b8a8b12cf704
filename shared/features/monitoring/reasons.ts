/** The properties of a reason. */
interface ReasonRow {
  /** Its source: a check from one region; the zone's state and dates; or the panel, from all its data. */
  readonly source: 'check' | 'zone' | 'panel'
  /** `critical`, found by a check: the domain is down in that region. `unknown`: the state of the domain is unknown. */
  readonly severity: 'critical' | 'warnings' | 'unknown'
  /** The notification setting that controls it. */
  readonly notice: 'statusChange' | 'dnsMismatch' | 'sslIssues' | 'traffic'
  /** A fault of the origin, shared by the domains on its address. `server_error`: only with a status from 500. */
  readonly origin?: 'always' | 'server_error'
  /** A delayed process would find it too, so its result is then inconclusive. */
  readonly isDelay?: true
}

const failure = { source: 'check', severity: 'critical', notice: 'statusChange' } as const
const originFailure = { ...failure, origin: 'always' } as const
const certificate = { source: 'check', severity: 'critical', notice: 'sslIssues' } as const
const warning = { source: 'check', severity: 'warnings', notice: 'statusChange' } as const
const zoneFailure = { source: 'zone', severity: 'critical', notice: 'statusChange' } as const
const zoneWarning = { source: 'zone', severity: 'warnings', notice: 'statusChange' } as const
const originCertificate = { source: 'zone', severity: 'warnings', notice: 'sslIssues' } as const
const unusualTraffic = { source: 'zone', severity: 'warnings', notice: 'traffic' } as const
const panelWarning = { source: 'panel', severity: 'warnings', notice: 'statusChange' } as const

/**
 * Problems and warnings of a domain, one row per reason, most severe first: of several, the first is shown. A new one needs texts in `reasons` (what
 * and advice) in both languages.
 */
export const reasonCatalog = {
  dns_no_answer: { ...failure, isDelay: true },
  dns_no_such_name: failure,
  dns_no_address: failure,
  private_address: failure,
  connect_refused: originFailure,
  connect_timeout: { ...originFailure, isDelay: true },
  connect_failed: originFailure,
  connection_lost: originFailure,
  answer_timeout: { ...originFailure, isDelay: true },
  not_http: failure,
  redirect_loop: failure,
  redirect_unreached: failure,
  http_status: { ...failure, origin: 'server_error' },
  keyword_missing: failure,
  tls_failed: certificate,
  cert_expired: certificate,
  cert_untrusted: certificate,
  cert_wrong_name: certificate,
  zone_moved: zoneFailure,
  phishing: zoneFailure,
  domain_expired: zoneFailure,
  domains_unlisted: { source: 'panel', severity: 'critical', notice: 'statusChange' },
  records_unlisted: { source: 'panel', severity: 'critical', notice: 'statusChange' },
  changed_outside: { source: 'panel', severity: 'critical', notice: 'statusChange' },
  abuse_reported: { source: 'panel', severity: 'critical', notice: 'statusChange' },
  name_servers_elsewhere: { ...warning, notice: 'dnsMismatch' },
  address_mismatch: { ...warning, notice: 'dnsMismatch' },
  cert_expires_soon: { ...warning, notice: 'sslIssues' },
  origin_cert_expired: originCertificate,
  origin_cert_expires_soon: originCertificate,
  domain_expires_soon: zoneWarning,
  traffic_dropped: unusualTraffic,
  traffic_server_errors: unusualTraffic,
  traffic_threats: unusualTraffic,
  zone_paused: zoneWarning,
  zone_pending: zoneWarning,
  slow: warning,
  flapping: panelWarning,
  down_in_some_regions: panelWarning,
  clock_wrong: panelWarning,
  setting_up: { source: 'zone', severity: 'unknown', notice: 'statusChange' },
  no_probe: { source: 'panel', severity: 'unknown', notice: 'statusChange' },
} as const satisfies Record<string, ReasonRow>

type Catalog = typeof reasonCatalog
export type ReasonCode = keyof Catalog
export const reasonCodes = Object.keys(reasonCatalog) as [ReasonCode, ...ReasonCode[]]

/** The reasons of a source. */
type ReasonFrom<Source extends ReasonRow['source'], Severity extends ReasonRow['severity'] = ReasonRow['severity']> = {
  [K in ReasonCode]: Catalog[K] extends { readonly source: Source; readonly severity: Severity } ? K : never
}[ReasonCode]
export type CheckReason = ReasonFrom<'check'>
export type ZoneReason = ReasonFrom<'zone', 'critical' | 'warnings'>

export const reasonRow = (code: ReasonCode): ReasonRow => reasonCatalog[code]

/** A check finding that does not take a domain down. */
export const isCheckWarning = (code: ReasonCode): boolean => reasonRow(code).source === 'check' && reasonRow(code).severity === 'warnings'
