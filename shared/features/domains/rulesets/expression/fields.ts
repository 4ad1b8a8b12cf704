import type { PlanTier } from '../phases.ts'
import type { ExpressionType } from './types.ts'

export interface ExpressionField {
  readonly type: ExpressionType
  /** The lowest plan that has it, unless every plan has it. */
  readonly plan?: Exclude<PlanTier, 'free'>
  /** It also needs a paid add-on. */
  readonly addOn?: true
  /** It exists only once there is a response. */
  readonly response?: true
}

const text = { type: 'String' } as const
const number = { type: 'Number' } as const
const boolean = { type: 'Boolean' } as const
const texts = { type: 'Array<String>' } as const
const textLists = { type: 'Map<Array<String>>' } as const

const business = { plan: 'business' } as const
const enterprise = { plan: 'enterprise' } as const
const addOn = { plan: 'enterprise', addOn: true } as const
const response = { response: true } as const

/**
 * Fields of requests and responses, the common ones first. Source: developers.cloudflare.com/ruleset-engine/rules-language/fields/reference and
 * the file it is generated from (cloudflare/cloudflare-docs, src/content/fields/index.yaml). What is missing here is accepted with a warning.
 */
export const expressionFields = {
  'http.host': text,
  'http.request.uri.path': text,
  'http.request.uri': text,
  'http.request.uri.query': text,
  'http.request.full_uri': text,
  'http.request.method': text,
  'http.user_agent': text,
  'ip.src': { type: 'IP' },
  'ip.src.country': text,
  'ip.src.asnum': number,
  'ip.src.continent': text,
  'cf.client.bot': boolean,
  'cf.verified_bot_category': text,
  ssl: boolean,
  'http.referer': text,
  'http.cookie': text,
  'http.x_forwarded_for': text,
  'http.request.headers': textLists,
  'http.request.headers.names': texts,
  'http.request.headers.values': texts,
  'http.request.headers.truncated': boolean,
  'http.request.cookies': { ...textLists, plan: 'pro' },
  'http.request.uri.args': textLists,
  'http.request.uri.args.names': texts,
  'http.request.uri.args.values': texts,
  'http.request.uri.path.extension': text,
  'http.request.version': text,
  'http.request.accepted_languages': texts,
  'http.request.timestamp.sec': number,
  'http.request.timestamp.msec': number,
  'ip.src.region': text,
  'ip.src.region_code': text,
  'ip.src.city': text,
  'ip.src.postal_code': text,
  'ip.src.metro_code': text,
  'ip.src.lat': text,
  'ip.src.lon': text,
  'ip.src.timezone.name': text,
  'ip.src.is_in_european_union': { ...boolean, ...business },
  'ip.src.subdivision_1_iso_code': { ...text, ...business },
  'ip.src.subdivision_2_iso_code': { ...text, ...business },
  'http.request.body.mime': text,
  'http.request.body.raw': { ...text, ...enterprise },
  'http.request.body.size': { ...number, ...enterprise },
  'http.request.body.truncated': { ...boolean, ...enterprise },
  'http.request.body.form': { ...textLists, ...enterprise },
  'http.request.body.form.names': { ...texts, ...enterprise },
  'http.request.body.form.values': { ...texts, ...enterprise },
  'http.request.body.multipart': { ...textLists, ...enterprise },
  'http.request.body.multipart.values': { ...texts, ...enterprise },
  'raw.http.request.full_uri': text,
  'raw.http.request.uri': text,
  'raw.http.request.uri.path': text,
  'raw.http.request.uri.path.extension': text,
  'raw.http.request.uri.query': text,
  'raw.http.request.uri.args': textLists,
  'raw.http.request.uri.args.names': texts,
  'raw.http.request.uri.args.values': texts,
  'cf.edge.server_ip': { type: 'IP' },
  'cf.edge.server_port': number,
  'cf.edge.client_tcp': boolean,
  'cf.hostname.metadata': text,
  'cf.random_seed': text,
  'cf.ray_id': text,
  'cf.threat_score': number,
  'cf.timings.client_tcp_rtt_msec': number,
  'cf.timings.client_quic_rtt_msec': number,
  'cf.tls_cipher': text,
  'cf.tls_version': text,
  'cf.tls_client_auth.cert_presented': boolean,
  'cf.tls_client_auth.cert_verified': boolean,
  'cf.tls_client_auth.cert_revoked': boolean,
  'cf.tls_client_auth.cert_fingerprint_sha256': text,
  'cf.tls_client_auth.cert_issuer_dn': text,
  'cf.tls_client_auth.cert_serial': text,
  'cf.tls_client_auth.cert_subject_dn': text,
  'cf.worker.upstream_zone': text,
  'cf.bot_management.score': { ...number, ...addOn },
  'cf.bot_management.verified_bot': { ...boolean, ...addOn },
  'cf.bot_management.static_resource': { ...boolean, ...addOn },
  'cf.bot_management.corporate_proxy': { ...boolean, ...addOn },
  'cf.bot_management.signed_agent': { ...boolean, ...addOn },
  'cf.bot_management.js_detection.passed': { ...boolean, ...addOn },
  'cf.bot_management.ja3_hash': { ...text, ...addOn },
  'cf.bot_management.ja4': { ...text, ...addOn },
  'cf.bot_management.detection_ids': { type: 'Array<Number>', ...addOn },
  'cf.waf.score': { ...number, ...enterprise },
  'cf.waf.score.class': { ...text, ...business },
  'cf.waf.score.sqli': { ...number, ...enterprise },
  'cf.waf.score.xss': { ...number, ...enterprise },
  'cf.waf.score.rce': { ...number, ...enterprise },
  'cf.waf.auth_detected': { ...boolean, ...enterprise },
  'cf.waf.credential_check.password_leaked': boolean,
  'cf.waf.credential_check.username_leaked': { ...boolean, ...enterprise },
  'cf.waf.credential_check.username_and_password_leaked': { ...boolean, plan: 'pro' },
  'cf.waf.content_scan.has_obj': { ...boolean, ...addOn },
  'cf.waf.content_scan.has_malicious_obj': { ...boolean, ...addOn },
  'cf.waf.content_scan.num_obj': { ...number, ...addOn },
  'http.response.code': { ...number, ...response },
  'http.response.headers': { ...textLists, ...response },
  'http.response.headers.names': { ...texts, ...response },
  'http.response.headers.values': { ...texts, ...response },
  'http.response.content_type.media_type': { ...text, ...response },
  'raw.http.response.headers': { ...textLists, ...response },
  'raw.http.response.headers.names': { ...texts, ...response },
  'raw.http.response.headers.values': { ...texts, ...response },
  'cf.response.1xxx_code': { ...number, ...response },
  'cf.response.error_type': { ...text, ...response },
} as const satisfies Readonly<Record<string, ExpressionField>>

const fields: ReadonlyMap<string, ExpressionField> = new Map(Object.entries(expressionFields))

/** Former names, which Cloudflare still accepts. */
export const renamedFields: ReadonlyMap<string, string> = new Map(
  ['asnum', 'continent', 'country', 'is_in_european_union', 'subdivision_1_iso_code', 'subdivision_2_iso_code'].map((name) => [
    `ip.geoip.${name}`,
    `ip.src.${name}`,
  ]),
)

/** The field of this or its current name; null if the catalog does not have it. */
export const findField = (name: string): ExpressionField | null => fields.get(renamedFields.get(name) ?? name) ?? null

/** Rate limiting on Free can use only these, according to developers.cloudflare.com/waf/rate-limiting-rules. */
export const freeRateLimitFields: ReadonlySet<string> = new Set([
  'http.request.uri.path',
  'http.request.uri.path.extension',
  'raw.http.request.uri.path',
  'cf.client.bot',
  'cf.verified_bot_category',
])
