/**
 * A small check of the Rules language: brackets, quotes, and names of fields and functions. Source of the names:
 * developers.cloudflare.com/ruleset-engine/rules-language; of the format of errors: the wirefilter engine, which Cloudflare publishes.
 */
const FIELDS = new Set(
  `cf.api_gateway.auth_id_present cf.bot_management.corporate_proxy cf.bot_management.detection_ids cf.bot_management.ja3_hash
  cf.bot_management.ja4 cf.bot_management.js_detection.passed cf.bot_management.score cf.bot_management.signed_agent
  cf.bot_management.static_resource cf.bot_management.verified_bot cf.client.bot cf.edge.client_port cf.edge.client_tcp
  cf.edge.server_ip cf.edge.server_port cf.hostname.metadata cf.random_seed cf.ray_id cf.response.1xxx_code cf.response.error_type
  cf.threat_score cf.timings.client_quic_rtt_msec cf.timings.client_tcp_rtt_msec cf.timings.edge_msec cf.timings.origin_ttfb_msec
  cf.tls_cipher cf.tls_client_auth.cert_fingerprint_sha256 cf.tls_client_auth.cert_issuer_dn cf.tls_client_auth.cert_presented
  cf.tls_client_auth.cert_revoked cf.tls_client_auth.cert_serial cf.tls_client_auth.cert_subject_dn cf.tls_client_auth.cert_verified
  cf.tls_version cf.verified_bot_category cf.waf.auth_detected cf.waf.content_scan.has_malicious_obj cf.waf.content_scan.has_obj
  cf.waf.content_scan.num_obj cf.waf.credential_check.password_leaked cf.waf.credential_check.username_and_password_leaked
  cf.waf.credential_check.username_leaked cf.waf.score cf.waf.score.class cf.waf.score.rce cf.waf.score.sqli cf.waf.score.xss
  cf.worker.upstream_zone cf.zone.name cf.zone.plan http.cookie http.host http.referer http.request.accepted_languages
  http.request.body.form http.request.body.form.names http.request.body.form.values http.request.body.mime
  http.request.body.multipart http.request.body.multipart.values http.request.body.raw http.request.body.size
  http.request.body.truncated http.request.cookies http.request.full_uri http.request.headers http.request.headers.names
  http.request.headers.truncated http.request.headers.values http.request.jwt.claims.iss http.request.method
  http.request.timestamp.msec http.request.timestamp.sec http.request.uri http.request.uri.args http.request.uri.args.names
  http.request.uri.args.values http.request.uri.path http.request.uri.path.extension http.request.uri.query http.request.version
  http.response.code http.response.content_type.media_type http.response.headers http.response.headers.names
  http.response.headers.values http.user_agent http.x_forwarded_for ip.geoip.asnum ip.geoip.continent ip.geoip.country
  ip.geoip.is_in_european_union ip.src ip.src.asnum ip.src.city ip.src.continent ip.src.country ip.src.is_in_european_union
  ip.src.lat ip.src.lon ip.src.metro_code ip.src.postal_code ip.src.region ip.src.region_code ip.src.subdivision_1_iso_code
  ip.src.subdivision_2_iso_code ip.src.timezone.name raw.http.request.full_uri raw.http.request.uri raw.http.request.uri.args
  raw.http.request.uri.args.names raw.http.request.uri.args.values raw.http.request.uri.path raw.http.request.uri.path.extension
  raw.http.request.uri.query raw.http.response.headers raw.http.response.headers.names raw.http.response.headers.values ssl`.split(/\s+/),
)
const FUNCTIONS = new Set(
  `any all cidr cidr6 concat decode_base64 ends_with is_timed_hmac_valid_v0 len lookup_json_integer lookup_json_string lower
  regex_replace remove_bytes remove_query_args sha256 split starts_with substring to_string upper url_decode uuidv4 wildcard_replace
  bit_slice encode_base64 has_key has_value join`.split(/\s+/),
)
const WORDS = new Set('and or xor not eq ne lt le gt ge in contains matches wildcard strict bitwise_and true false'.split(' '))

const SPACE = /\s+/y
const TEXT = /"(?:[^"\\]|\\.)*"/y
const NAME = /[a-z_][\w]*(?:\.[\w]+)*/iy
const LIST = /\$[a-z0-9_.]+/y
/** Addresses, networks, numbers and ranges. */
const VALUE = /(?:[0-9a-f]*:[0-9a-f:.]*|-?[0-9][0-9a-f.]*)(?:\/[0-9]+)?/iy
const SIGN = /&&|\|\||\^\^|==|!=|<=|>=|[<>~!&,*]|\[|\]|\{|\}/y

type Problem = { readonly at: number; readonly length: number; readonly reason: string }

export type ParsedExpression = {
  readonly problem: string | null
  readonly fields: ReadonlySet<string>
  readonly usesRegex: boolean
  readonly functions: ReadonlySet<string>
}

export function parseExpression(expression: string): ParsedExpression {
  const fields = new Set<string>()
  const functions = new Set<string>()
  let usesRegex = false
  const problem = scan(expression, (kind, text) => {
    if (kind === 'sign') usesRegex ||= text === '~'
    else if (WORDS.has(text)) usesRegex ||= text === 'matches'
    else if (FIELDS.has(text)) fields.add(text)
    else if (FUNCTIONS.has(text)) functions.add(text)
    else return 'unknown identifier'
    return null
  })
  return { problem: problem === null ? null : describe(expression, problem), fields, usesRegex, functions }
}

function scan(expression: string, check: (kind: 'name' | 'sign', text: string) => string | null): Problem | null {
  let at = 0
  const open: number[] = []
  const next = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(expression)?.[0] ?? null
  }
  while (at < expression.length) {
    const character = expression[at]
    if (character === '(') open.push(at)
    if (character === ')' && open.pop() === undefined) return { at, length: expression.length - at, reason: 'unrecognised input' }
    if (character === '(' || character === ')') {
      at += 1
      continue
    }
    const raw = rawText(expression, at)
    const plain = raw ?? next(SPACE) ?? next(TEXT) ?? next(LIST) ?? next(VALUE)
    const name = plain === null ? next(NAME) : null
    const sign = plain === null && name === null ? next(SIGN) : null
    const found = plain ?? name ?? sign
    if (found === null) {
      const isText = character === '"'
      return { at, length: isText ? expression.length - at : 1, reason: isText ? 'missing ending quote' : 'unrecognised input' }
    }
    const reason = name !== null ? check('name', name) : sign !== null ? check('sign', sign) : null
    if (reason !== null) return { at, length: found.length, reason }
    at += found.length
  }
  return open.length === 0 ? null : { at, length: 1, reason: 'expected literal ")"' }
}

/** `r#"a "quoted" text"#`, with any number of `#`. */
function rawText(expression: string, at: number): string | null {
  if (expression[at] !== 'r') return null
  let hashes = 0
  while (expression[at + 1 + hashes] === '#') hashes += 1
  if (expression[at + 1 + hashes] !== '"') return null
  const end = expression.indexOf(`"${'#'.repeat(hashes)}`, at + 2 + hashes)
  return end === -1 ? null : expression.slice(at, end + 1 + hashes)
}

function describe(expression: string, { at, length, reason }: Problem): string {
  return `Filter parsing error (1:${at + 1}):\n${expression}\n${' '.repeat(at)}${'^'.repeat(Math.max(1, length))} ${reason}\n`
}
