/** What a tRPC procedure answers with; the HTTP status stands beside it because REST shows it. */
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
  /** Whether the same call may succeed later without anybody changing anything. */
  readonly retryable: boolean
  /** What a change that met it has done elsewhere: nothing, or nobody knows. */
  readonly effect: 'none' | 'unknown'
}

const kind = (trpc: ErrorKind['trpc'], status: number): ErrorKind => ({ trpc, status, retryable: false, effect: 'none' })
/** It was refused, and may be taken later. */
const passing = (trpc: ErrorKind['trpc'], status: number): ErrorKind => ({ trpc, status, retryable: true, effect: 'none' })
/** No answer that could be read came, or what it was could not be kept. */
const unanswered = (trpc: ErrorKind['trpc'], status: number): ErrorKind => ({ trpc, status, retryable: true, effect: 'unknown' })

/** Every error that leaves the server. The text of each lives in the `errors` namespace of both languages. */
export const errorCatalogue = {
  validation_failed: kind('BAD_REQUEST', 400),
  malformed_request: kind('BAD_REQUEST', 400),
  unauthorized: kind('UNAUTHORIZED', 401),
  invalid_credentials: kind('UNAUTHORIZED', 401),
  forbidden: kind('FORBIDDEN', 403),
  xsrf_mismatch: kind('FORBIDDEN', 403),
  origin_mismatch: kind('FORBIDDEN', 403),
  registration_closed: kind('FORBIDDEN', 403),
  /** A read token tried to change something. */
  read_only_token: kind('FORBIDDEN', 403),
  /** A token that is not one for buying tried to order something. */
  buying_token_needed: kind('FORBIDDEN', 403),
  /** Only a person who is signed in may do it, no token. */
  session_only: kind('FORBIDDEN', 403),
  /** A password or second factor has to be given again first. */
  confirmation_needed: kind('FORBIDDEN', 403),
  /** Shared with the actor at a lower level. */
  level_too_low: kind('FORBIDDEN', 403),
  /** An operation goes on after what it works on was shared with who began it. */
  access_ended: kind('FORBIDDEN', 403),
  second_factor_required: kind('FORBIDDEN', 403),
  invalid_second_factor: kind('UNAUTHORIZED', 401),
  passkey_failed: kind('FORBIDDEN', 403),
  /** What was asked was answered too late, too often, or already. */
  challenge_expired: kind('FORBIDDEN', 403),
  /** The person may not sign in; only who proves to be them learns it. */
  user_disabled: kind('FORBIDDEN', 403),
  last_admin: kind('CONFLICT', 409),
  own_user: kind('CONFLICT', 409),
  username_taken: kind('CONFLICT', 409),
  not_found: kind('NOT_FOUND', 404),
  method_not_allowed: kind('METHOD_NOT_SUPPORTED', 405),
  email_taken: kind('CONFLICT', 409),
  account_exists: kind('CONFLICT', 409),
  /** The email's account is there with another global key. */
  account_has_other_key: kind('CONFLICT', 409),
  conflict: kind('CONFLICT', 409),
  /** What was asked of it fits another state than the one it is in by now. */
  operation_moved_on: kind('CONFLICT', 409),
  /** The last second factor, where the panel demands one. */
  factor_required: kind('CONFLICT', 409),
  too_many_passkeys: kind('CONFLICT', 409),
  idempotency_mismatch: kind('CONFLICT', 409),
  /** Of one change among several that are done together or not at all. */
  held_back: kind('CONFLICT', 409),
  setting_not_editable: kind('CONFLICT', 409),
  cache_unavailable: kind('CONFLICT', 409),
  cache_forbidden: kind('UNPROCESSABLE_CONTENT', 422),
  name_mismatch: kind('BAD_REQUEST', 400),
  /** Everything that was asked for is so already. */
  nothing_to_do: kind('CONFLICT', 409),
  /** None of them is done, or all are undone already. */
  nothing_to_undo: kind('CONFLICT', 409),
  nothing_to_retry: kind('CONFLICT', 409),
  /** Where all that match were meant, and none does. */
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
  /** A stored secret that the secret key does not decrypt; `secret` says which kind, `name` whose. */
  secret_unreadable: kind('CONFLICT', 409),
  /** Of an operation's item that took its process with it each time. */
  process_died: kind('INTERNAL_SERVER_ERROR', 500),
  shutting_down: unanswered('SERVICE_UNAVAILABLE', 503),
  /** PostgreSQL does not answer, or lacks memory. */
  database_unavailable: unanswered('SERVICE_UNAVAILABLE', 503),
  database_full: unanswered('SERVICE_UNAVAILABLE', 503),

  // The provider's refusals; its own code and text travel beside ours.
  provider_auth: kind('UNPROCESSABLE_CONTENT', 422),
  provider_forbidden: kind('UNPROCESSABLE_CONTENT', 422),
  provider_not_found: kind('BAD_GATEWAY', 502),
  provider_rejected: kind('UNPROCESSABLE_CONTENT', 422),
  provider_rate_limited: passing('BAD_GATEWAY', 502),
  provider_unavailable: unanswered('BAD_GATEWAY', 502),
  provider_timeout: unanswered('TIMEOUT', 504),
  provider_unreadable: unanswered('BAD_GATEWAY', 502),

  // A registrar's refusals, likewise.
  registrar_auth: kind('BAD_GATEWAY', 502),
  /** The address of this server is not on the provider's list. */
  registrar_address: kind('BAD_GATEWAY', 502),
  registrar_forbidden: kind('BAD_GATEWAY', 502),
  /** The name is not open to the API. */
  registrar_name_closed: kind('BAD_GATEWAY', 502),
  registrar_not_found: kind('BAD_GATEWAY', 502),
  registrar_rejected: kind('BAD_GATEWAY', 502),
  registrar_rate_limited: passing('BAD_GATEWAY', 502),
  registrar_unavailable: unanswered('BAD_GATEWAY', 502),
  registrar_timeout: unanswered('TIMEOUT', 504),
  registrar_unreadable: unanswered('BAD_GATEWAY', 502),
  registrar_money: kind('CONFLICT', 409),
  /** More than the person, or the token, may order in 24 hours. */
  spend_limit: kind('CONFLICT', 409),
  registrar_price_changed: kind('CONFLICT', 409),
  /** What will be charged, with fees, cannot be read before it is ordered. */
  registrar_price_unknown: kind('CONFLICT', 409),
  /** A quote that came too late; nothing was ordered. */
  registrar_quote_expired: passing('CONFLICT', 409),
  /** Another order of the same account is being processed there. */
  registrar_busy: passing('BAD_GATEWAY', 502),
  /** An order that waits there for its payment. */
  registrar_unpaid: kind('CONFLICT', 409),
  /** Sold, or renewed, by the registrar and not through its API. */
  registrar_website_only: kind('CONFLICT', 409),
  /** The registration ran out; only a reactivation brings it back. */
  registrar_expired: kind('CONFLICT', 409),
  registrar_renewal_early: kind('CONFLICT', 409),
  /** The registrar does not report until when the name is paid: whether it was renewed could not be seen. */
  registrar_expiry_unknown: kind('CONFLICT', 409),
  /** Automatic renewal is switched on the registrar's site only. */
  registrar_auto_renew_website: kind('CONFLICT', 409),
  /** The answer to a renewal was lost, and a day later the name still ends when it did. */
  renewal_unconfirmed: kind('BAD_GATEWAY', 502),
  /** Not sold for so many years. */
  registrar_term: kind('CONFLICT', 409),
  registrar_name_taken: kind('CONFLICT', 409),
  registrar_not_sold: kind('CONFLICT', 409),
  registrar_contact: kind('BAD_REQUEST', 400),
  /** Ordered already, by this or another purchase. */
  registrar_ordered: kind('CONFLICT', 409),
  /** Whether it sells the name, or for how much, it does not report. */
  registrar_unsure: kind('CONFLICT', 409),
  /** A premium name that nobody agreed to pay for as such. */
  premium_not_agreed: kind('CONFLICT', 409),
  /** Taken by the registrar, which waits for the registry. */
  purchase_pending: passing('CONFLICT', 409),
  /** The answer to an order was lost, and the registrar does not show the name yet. */
  purchase_unclear: unanswered('BAD_GATEWAY', 502),
  /** The same account at the same provider, added before. */
  registrar_exists: kind('CONFLICT', 409),
  registrar_in_use: kind('CONFLICT', 409),
  registrar_manual: kind('CONFLICT', 409),
  /** The domain is attached to no registrar. */
  registrar_none: kind('CONFLICT', 409),
  /** It and the domain are two people's objects; reported to who may see both. */
  registrar_other_owner: kind('CONFLICT', 409),
  /** Cloudflare gave the domain no name servers. */
  registrar_no_wish: kind('CONFLICT', 409),
  too_many_channels: kind('CONFLICT', 409),
  limit_reached: kind('CONFLICT', 409),
  batch_too_costly: kind('BAD_REQUEST', 400),
  operation_too_large: kind('UNPROCESSABLE_CONTENT', 422),

  // A tracker's refusals; its own words travel beside ours.
  tracker_auth: kind('BAD_GATEWAY', 502),
  /** Its edition has no Admin API. */
  tracker_edition: kind('BAD_GATEWAY', 502),
  /** Something else answers at that address. */
  tracker_not_one: kind('BAD_GATEWAY', 502),
  /** The address is not of the public internet, or the name leads to one that is not. */
  tracker_private: kind('BAD_GATEWAY', 502),
  /** Its certificate is self-signed, over, or another name's. */
  tracker_certificate: kind('BAD_GATEWAY', 502),
  tracker_not_found: kind('BAD_GATEWAY', 502),
  tracker_rejected: kind('BAD_GATEWAY', 502),
  tracker_rate_limited: passing('BAD_GATEWAY', 502),
  tracker_unavailable: unanswered('BAD_GATEWAY', 502),
  tracker_timeout: unanswered('TIMEOUT', 504),
  tracker_unreadable: unanswered('BAD_GATEWAY', 502),
  /** The tracker's program cannot do that, or not through its API. */
  tracker_unable: kind('CONFLICT', 409),
  /** Since it was chosen, the tracker calls the domain otherwise, or another one so. */
  tracker_domain_changed: kind('CONFLICT', 409),
  /** Its address or its key is missing. */
  tracker_disabled: kind('CONFLICT', 409),
  /** The same tracker, added before. */
  tracker_exists: kind('CONFLICT', 409),
  too_many_trackers: kind('CONFLICT', 409),
  /** It and the domain are two people's objects; reported to who may see both. */
  tracker_other_owner: kind('CONFLICT', 409),
  /** The domain is bound in a tracker. */
  domain_bound: kind('CONFLICT', 409),
  domain_not_bound: kind('CONFLICT', 409),
  /** The domain that was to take another's place is not ready for it. */
  reserve_unready: kind('CONFLICT', 409),
  reserve_empty: kind('CONFLICT', 409),
  /** The server behind the failing domain is down: another domain would lead to the same address. */
  origin_down: kind('CONFLICT', 409),
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorCatalogue

/** The provider's codes for a record that is there already, or that another excludes. */
const recordIsThere: ReadonlySet<string> = new Set(['81053', '81057', '81058'])
const providerConflict = kind('CONFLICT', 409)

/** How an error is answered; the provider's own code may say more than ours. */
export const kindOf = (code: ErrorCode, providerCode: string | undefined): ErrorKind =>
  code === 'provider_rejected' && recordIsThere.has(providerCode ?? '') ? providerConflict : errorCatalogue[code]

export const isErrorCode = (value: string): value is ErrorCode => Object.hasOwn(errorCatalogue, value)

/** What `secret_unreadable` may be about; each has a text of its own in `errors:unreadable`. */
export type UnreadableSecret =
  | 'account_key'
  | 'account_password'
  | 'registrar_credential'
  | 'registrar_password'
  | 'contact'
  | 'second_factor'
  | 'tracker_key'
  | 'kept_answer'
