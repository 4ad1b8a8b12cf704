/** The tRPC code of each error, with the HTTP status for REST. */
interface ErrorKind {
  readonly trpc:
    | 'BAD_REQUEST'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'CONFLICT'
    | 'TOO_MANY_REQUESTS'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'UNPROCESSABLE_CONTENT'
    | 'METHOD_NOT_SUPPORTED'
    | 'TIMEOUT'
    | 'BAD_GATEWAY'
    | 'SERVICE_UNAVAILABLE'
    | 'INTERNAL_SERVER_ERROR'
  readonly status: number
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean
  /** The effect of a change that failed with it: none, or unknown. */
  readonly effect: 'none' | 'unknown'
}

const kind = (trpc: ErrorKind['trpc'], status: number): ErrorKind => ({ trpc, status, retryable: false, effect: 'none' })
/** Rejected before any work, and may be accepted later. */
const passing = (trpc: ErrorKind['trpc'], status: number): ErrorKind => ({ trpc, status, retryable: true, effect: 'none' })
/** No readable response arrived, or the result could not be stored. */
const unanswered = (trpc: ErrorKind['trpc'], status: number): ErrorKind => ({ trpc, status, retryable: true, effect: 'unknown' })

/** Every error that leaves the server. Its text is in the `errors` namespace of both languages. */
export const errorCatalog = {
  validation_failed: kind('BAD_REQUEST', 400),
  malformed_request: kind('BAD_REQUEST', 400),
  unauthorized: kind('UNAUTHORIZED', 401),
  invalid_credentials: kind('UNAUTHORIZED', 401),
  forbidden: kind('FORBIDDEN', 403),
  xsrf_mismatch: kind('FORBIDDEN', 403),
  origin_mismatch: kind('FORBIDDEN', 403),
  registration_closed: kind('FORBIDDEN', 403),
  /** A read-only token tried to change something. */
  read_only_token: kind('FORBIDDEN', 403),
  /** A token of scope `buy` tried to do something other than buying or renewing. */
  buy_only_token: kind('FORBIDDEN', 403),
  /** A token without the scope `buy` tried to order something. */
  buying_token_needed: kind('FORBIDDEN', 403),
  /** Only a signed-in user may do it, not a token. */
  session_only: kind('FORBIDDEN', 403),
  /** Requires recent authentication with a password or second factor. */
  confirmation_needed: kind('FORBIDDEN', 403),
  /** The resource is shared with the actor at a lower level. */
  level_too_low: kind('FORBIDDEN', 403),
  /** The user who started the operation no longer has access to its resource. */
  access_ended: kind('FORBIDDEN', 403),
  second_factor_required: kind('FORBIDDEN', 403),
  invalid_second_factor: kind('UNAUTHORIZED', 401),
  passkey_failed: kind('FORBIDDEN', 403),
  /** The response to a challenge was late, repeated too often, or used before. */
  challenge_expired: kind('FORBIDDEN', 403),
  /** The user is disabled; reported only after the credentials were verified. */
  user_disabled: kind('FORBIDDEN', 403),
  last_admin: kind('CONFLICT', 409),
  own_user: kind('CONFLICT', 409),
  username_taken: kind('CONFLICT', 409),
  not_found: kind('NOT_FOUND', 404),
  method_not_allowed: kind('METHOD_NOT_SUPPORTED', 405),
  email_taken: kind('CONFLICT', 409),
  account_exists: kind('CONFLICT', 409),
  /** The account with this email exists with another global key. */
  account_has_other_key: kind('CONFLICT', 409),
  conflict: kind('CONFLICT', 409),
  /** The requested transition does not fit the current state. */
  operation_moved_on: kind('CONFLICT', 409),
  /** The last second factor cannot be removed while the panel requires one. */
  factor_required: kind('CONFLICT', 409),
  too_many_passkeys: kind('CONFLICT', 409),
  idempotency_mismatch: kind('CONFLICT', 409),
  /** Of one change among several that are applied all or none. */
  held_back: kind('CONFLICT', 409),
  setting_not_editable: kind('CONFLICT', 409),
  cache_unavailable: kind('CONFLICT', 409),
  cache_forbidden: kind('UNPROCESSABLE_CONTENT', 422),
  name_mismatch: kind('BAD_REQUEST', 400),
  /** Everything requested is already in place. */
  nothing_to_do: kind('CONFLICT', 409),
  /** No item is done, or all are already undone. */
  nothing_to_undo: kind('CONFLICT', 409),
  nothing_to_retry: kind('CONFLICT', 409),
  /** A filter was given, and it matches nothing. */
  no_domains: kind('NOT_FOUND', 404),
  // Why a domain was not added.
  zone_exists: kind('CONFLICT', 409),
  zone_not_registered: kind('BAD_REQUEST', 400),
  zone_not_root: kind('BAD_REQUEST', 400),
  zone_refused: kind('UNPROCESSABLE_CONTENT', 422),
  zone_refused_for_now: passing('BAD_GATEWAY', 502),
  zone_held: kind('CONFLICT', 409),
  zone_too_many_tries: passing('TOO_MANY_REQUESTS', 429),
  zone_lookup_failed: passing('BAD_GATEWAY', 502),
  account_may_not_add: kind('UNPROCESSABLE_CONTENT', 422),
  account_limit_reached: kind('UNPROCESSABLE_CONTENT', 422),
  body_too_large: kind('PAYLOAD_TOO_LARGE', 413),
  unsupported_media_type: kind('UNSUPPORTED_MEDIA_TYPE', 415),
  too_many_attempts: passing('TOO_MANY_REQUESTS', 429),
  too_many_streams: passing('TOO_MANY_REQUESTS', 429),
  too_many_idempotency_keys: passing('TOO_MANY_REQUESTS', 429),
  internal: unanswered('INTERNAL_SERVER_ERROR', 500),
  /** The secret key does not decrypt a stored secret; `secret` is its kind, `name` its owner. */
  secret_unreadable: kind('CONFLICT', 409),
  /** An item that crashed its process at every attempt. */
  process_died: kind('INTERNAL_SERVER_ERROR', 500),
  shutting_down: unanswered('SERVICE_UNAVAILABLE', 503),
  /** PostgreSQL is unreachable or out of memory. */
  database_unavailable: unanswered('SERVICE_UNAVAILABLE', 503),
  database_full: unanswered('SERVICE_UNAVAILABLE', 503),

  // Rejections by the provider; its own code and text are sent along with ours.
  provider_auth: kind('UNPROCESSABLE_CONTENT', 422),
  provider_forbidden: kind('UNPROCESSABLE_CONTENT', 422),
  provider_not_found: kind('BAD_GATEWAY', 502),
  /** Many domains of its account are missing at the provider: it stays until a person decides. */
  disappearance_undecided: kind('CONFLICT', 409),
  /** A person decided to keep a domain that Cloudflare does not find. */
  disappearance_kept: kind('CONFLICT', 409),
  provider_rejected: kind('UNPROCESSABLE_CONTENT', 422),
  /** The zone's plan has no room for another rule in this phase. */
  rule_quota_reached: kind('CONFLICT', 409),
  /** The address, network, country or AS number already has a rule. */
  ip_access_exists: kind('CONFLICT', 409),
  ip_access_expired: kind('UNPROCESSABLE_CONTENT', 422),
  provider_rate_limited: passing('BAD_GATEWAY', 502),
  provider_unavailable: unanswered('BAD_GATEWAY', 502),
  provider_timeout: unanswered('TIMEOUT', 504),
  provider_unreadable: unanswered('BAD_GATEWAY', 502),

  // Rejections by a registrar, likewise.
  registrar_auth: kind('BAD_GATEWAY', 502),
  /** The IP address of this server is not on the provider's allowlist. */
  registrar_address: kind('BAD_GATEWAY', 502),
  registrar_forbidden: kind('BAD_GATEWAY', 502),
  /** The name is not accessible through the API. */
  registrar_name_closed: kind('BAD_GATEWAY', 502),
  registrar_not_found: kind('BAD_GATEWAY', 502),
  registrar_rejected: kind('BAD_GATEWAY', 502),
  registrar_rate_limited: passing('BAD_GATEWAY', 502),
  registrar_unavailable: unanswered('BAD_GATEWAY', 502),
  registrar_timeout: unanswered('TIMEOUT', 504),
  registrar_unreadable: unanswered('BAD_GATEWAY', 502),
  registrar_money: kind('CONFLICT', 409),
  /** Exceeds the 24-hour order limit of the user or the token. */
  spend_limit: kind('CONFLICT', 409),
  registrar_price_changed: kind('CONFLICT', 409),
  /** The total charge including fees cannot be determined before the order. */
  registrar_price_unknown: kind('CONFLICT', 409),
  /** The quote expired; nothing was ordered. */
  registrar_quote_expired: passing('CONFLICT', 409),
  /** Another order of the same account is being processed at the registrar. */
  registrar_busy: passing('BAD_GATEWAY', 502),
  /** An order at the registrar is waiting for payment. */
  registrar_unpaid: kind('CONFLICT', 409),
  /** Sold or renewed by the registrar, but not through its API. */
  registrar_website_only: kind('CONFLICT', 409),
  /** The registration expired, and only a reactivation restores it. */
  registrar_expired: kind('CONFLICT', 409),
  registrar_renewal_early: kind('CONFLICT', 409),
  /** The registrar does not report the expiry date, so a renewal could not be verified. */
  registrar_expiry_unknown: kind('CONFLICT', 409),
  /** Automatic renewal can only be switched on the registrar's website. */
  registrar_auto_renew_website: kind('CONFLICT', 409),
  /** DS records can only be changed on the registrar's website. */
  registrar_ds_website: kind('CONFLICT', 409),
  /** A DS record without signatures makes a domain unreachable. */
  dnssec_disabled: kind('CONFLICT', 409),
  /** The DS record that the person saw no longer belongs to the key of the zone. */
  dnssec_key_changed: kind('CONFLICT', 409),
  /** The domain does not use Cloudflare's name servers, so its signatures are not Cloudflare's. */
  dnssec_zone_inactive: kind('CONFLICT', 409),
  /** DNSSEC is turned off only when no resolver checks signatures of the domain any more. */
  dnssec_ds_published: passing('CONFLICT', 409),
  dnssec_ds_cached: passing('CONFLICT', 409),
  dnssec_ds_unknown: passing('CONFLICT', 409),
  /** The response to issuing an origin certificate was lost, and with it the key; a repetition would issue another one. */
  origin_certificate_unclear: kind('BAD_GATEWAY', 502),
  /** The same, but the key is stored. */
  origin_certificate_unclear_kept: kind('BAD_GATEWAY', 502),
  origin_certificate_pending: kind('CONFLICT', 409),
  /** The response to a renewal was lost, and a day later the expiry date is unchanged. */
  renewal_unconfirmed: kind('BAD_GATEWAY', 502),
  /** Not sold for this number of years. */
  registrar_term: kind('CONFLICT', 409),
  registrar_name_taken: kind('CONFLICT', 409),
  registrar_not_sold: kind('CONFLICT', 409),
  registrar_contact: kind('BAD_REQUEST', 400),
  /** Already ordered by this or another purchase. */
  registrar_ordered: kind('CONFLICT', 409),
  /** The registrar does not report availability or price. */
  registrar_unsure: kind('CONFLICT', 409),
  /** A premium name whose price was not accepted as such. */
  premium_not_agreed: kind('CONFLICT', 409),
  /** Accepted by the registrar and waiting for the registry. */
  purchase_pending: passing('CONFLICT', 409),
  /** The response to an order was lost, and the registrar does not list the name yet. */
  purchase_unclear: unanswered('BAD_GATEWAY', 502),
  /** The same account at the same provider was already added. */
  registrar_exists: kind('CONFLICT', 409),
  registrar_in_use: kind('CONFLICT', 409),
  registrar_manual: kind('CONFLICT', 409),
  /** The domain is not attached to a registrar. */
  registrar_none: kind('CONFLICT', 409),
  /** It and the domain have different owners; reported only to users who can see both. */
  registrar_other_owner: kind('CONFLICT', 409),
  /** Cloudflare has assigned no name servers to the domain. */
  registrar_no_wish: kind('CONFLICT', 409),
  too_many_channels: kind('CONFLICT', 409),
  limit_reached: kind('CONFLICT', 409),
  batch_too_costly: kind('BAD_REQUEST', 400),
  operation_too_large: kind('UNPROCESSABLE_CONTENT', 422),
  /** The file has more rows than one import permits. */
  too_many_redirects: kind('UNPROCESSABLE_CONTENT', 422),
  /** The account's plan permits fewer redirects. */
  redirect_limit_reached: kind('CONFLICT', 409),
  redirects_too_complex: kind('UNPROCESSABLE_CONTENT', 422),
  redirect_put_and_removed: kind('UNPROCESSABLE_CONTENT', 422),
  /** The credential has access to several accounts at Cloudflare, each with redirects of its own. */
  redirect_account_unclear: kind('CONFLICT', 409),

  // Rejections by a tracker; its own text is sent along with ours.
  tracker_auth: kind('BAD_GATEWAY', 502),
  /** Its edition has no Admin API. */
  tracker_edition: kind('BAD_GATEWAY', 502),
  /** The address is served by other software. */
  tracker_not_one: kind('BAD_GATEWAY', 502),
  /** The address is not public, or the host resolves to one that is not. */
  tracker_private: kind('BAD_GATEWAY', 502),
  /** The certificate is self-signed, expired, or issued for another name. */
  tracker_certificate: kind('BAD_GATEWAY', 502),
  tracker_not_found: kind('BAD_GATEWAY', 502),
  tracker_rejected: kind('BAD_GATEWAY', 502),
  tracker_rate_limited: passing('BAD_GATEWAY', 502),
  tracker_unavailable: unanswered('BAD_GATEWAY', 502),
  tracker_timeout: unanswered('TIMEOUT', 504),
  tracker_unreadable: unanswered('BAD_GATEWAY', 502),
  /** The tracker software does not support it, or not through its API. */
  tracker_unable: kind('CONFLICT', 409),
  /** After the selection, the tracker renamed the domain or reused its name. */
  tracker_domain_changed: kind('CONFLICT', 409),
  /** The address or the key is missing. */
  tracker_disabled: kind('CONFLICT', 409),
  /** The same tracker was already added. */
  tracker_exists: kind('CONFLICT', 409),
  too_many_trackers: kind('CONFLICT', 409),
  /** It and the domain have different owners; reported only to users who can see both. */
  tracker_other_owner: kind('CONFLICT', 409),
  /** The domain is bound in a tracker. */
  domain_bound: kind('CONFLICT', 409),
  domain_not_bound: kind('CONFLICT', 409),
  /** The reserve domain is not ready to replace another. */
  reserve_unready: kind('CONFLICT', 409),
  reserve_empty: kind('CONFLICT', 409),
  /** The server of the failing domain is down, and a replacement would point to the same address. */
  origin_down: kind('CONFLICT', 409),
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorCatalog

/** The provider's codes for a duplicate or conflicting record. */
const recordIsThere: ReadonlySet<string> = new Set(['81053', '81057', '81058'])
const providerConflict = kind('CONFLICT', 409)

/** The HTTP status and tRPC code of an error; the provider's own code can refine ours. */
export const kindOf = (code: ErrorCode, providerCode: string | undefined): ErrorKind =>
  code === 'provider_rejected' && recordIsThere.has(providerCode ?? '') ? providerConflict : errorCatalog[code]

export const isErrorCode = (value: string): value is ErrorCode => Object.hasOwn(errorCatalog, value)

/** The kinds of secrets for `secret_unreadable`; each has a text in `errors:unreadable`. */
export type UnreadableSecret =
  | 'account_key'
  | 'account_password'
  | 'registrar_credential'
  | 'registrar_password'
  | 'contact'
  | 'second_factor'
  | 'tracker_key'
  | 'origin_key'
  | 'kept_answer'
