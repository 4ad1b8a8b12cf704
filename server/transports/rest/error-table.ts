import { errorCatalog } from '#shared/errors/codes.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import errors from '#shared/i18n/locales/en/errors.json' with { type: 'json' }
import failures from '#shared/i18n/locales/en/failures.json' with { type: 'json' }
import operations from '#shared/i18n/locales/en/operations.json' with { type: 'json' }

const panelTexts: Readonly<Record<string, string>> = { ...operations.codes, ...errors.codes, ...failures.codes }

/** For API clients, where the text of the panel is meant for a browser or does not say what to do. */
const apiTexts: Readonly<Partial<Record<ErrorCode, string>>> = {
  access_ended: 'The user who started this no longer has access. Share the resource again or start it as another user.',
  cache_forbidden: 'The key lacks the permission to purge the cache. Add it at Cloudflare or use another key.',
  cache_unavailable: 'The cache cannot be purged because the domain is not active. Activate the domain first.',
  confirmation_needed:
    'Step-up authentication is required. Call `POST /api/auth/confirmation` and `POST /api/auth/confirm`, then repeat the call.',
  conflict: 'The resource has changed since you read it. Read it again and repeat the call.',
  held_back: 'Not applied because another change in the same request was rejected. Fix that change and send all of them again.',
  internal: 'Internal error. Repeat the call; if it fails again, search the log of the panel for the `requestId`.',
  invalid_credentials: 'The email or password is wrong. Check both.',
  malformed_request: 'The request could not be read. Send a JSON object as the body and a valid URL.',
  method_not_allowed: 'The path does not support this method. Use one of the methods in the `Allow` header.',
  no_domains: 'No domain matches. Check the IDs or the filter.',
  nothing_to_do: 'No changes are needed because everything is already set. Treat the call as successful.',
  nothing_to_retry: 'The operation has no failed items. No action is needed.',
  nothing_to_undo: 'These changes were not made or are already undone. No action is needed.',
  operation_moved_on: 'The state of the operation has changed. Get the operation and choose an action that its state allows.',
  provider_rejected: 'Cloudflare rejected the request. `provider` contains its error code and message.',
  purchase_pending: 'The registrar is waiting for the registry. No action is needed: the panel checks the order again.',
  purchase_unclear:
    'The response of the registrar was lost, and the domain is not in its account yet. Check the orders on its website; nothing is ordered again until this is resolved.',
  registrar_exists: 'This registrar account has already been added. Update the existing registrar.',
  registrar_money: 'The balance at the registrar is too low. Top it up and repeat the call.',
  registrar_name_taken: 'This domain is taken. Choose another name.',
  registrar_rejected: 'The registrar rejected the request. `provider` contains its error code and message.',
  registrar_website_only: 'The registrar sells and renews this domain only on its website. Do it there.',
  session_only: 'API tokens cannot do this. Sign in and use the session token.',
  name_mismatch: 'The name does not match the domain. Send exactly the name of the domain.',
  too_many_streams: 'The limit of {{max}} open event streams is reached. Close streams that you do not need.',
  tracker_exists: 'This tracker has already been added. Update the existing tracker.',
  tracker_rejected: 'The tracker rejected the request. `provider` contains its message.',
  unauthorized: 'The token is missing, misspelled, expired, or revoked. Sign in or create a new token.',
  unsupported_media_type: 'The body is not JSON. Send it with `Content-Type: application/json`.',
  validation_failed: 'The input is invalid. Fix the fields that `issues` lists.',
  xsrf_mismatch: 'The session cookie was sent without the `X-XSRF-TOKEN` header. Add the header or use a bearer token.',
}

interface ErrorRow {
  readonly code: string
  readonly status: number
  /** Whether the same call may succeed later; `check first`: the change may have been applied already. */
  readonly retry: 'yes' | 'check first' | 'no'
  /** What the code means and what to do, in Markdown. */
  readonly text: string
}

/** Every error code with its HTTP status and its meaning, sorted by status and code. */
export const errorRows = (): ErrorRow[] =>
  Object.entries(errorCatalog)
    .map(([code, { status, retryable, effect }]) => ({
      code,
      status,
      retry: !retryable ? ('no' as const) : effect === 'unknown' ? ('check first' as const) : ('yes' as const),
      text: (apiTexts[code as ErrorCode] ?? panelTexts[code] ?? '').replaceAll(/\{\{(\w+)\}\}/g, '`params.$1`').replace(/([^.])$/, '$1.'),
    }))
    .toSorted((one, other) => one.status - other.status || one.code.localeCompare(other.code))

/** The introduction of the OpenAPI document, in Markdown. */
export const apiGuide = (): string => `REST API of Zonedeck, a panel for managing domains across many Cloudflare accounts.

## Authentication

Create a token under My profile, API tokens, and send it as \`Authorization: Bearer zd_…\`. The scope \`read\` allows reading and previews, \`write\` also allows changes, and \`buy\` only allows checking, buying, and renewing domains.

## Formats

Bodies are JSON in UTF-8. Times are ISO 8601 in UTC (\`2030-01-01T00:00:00Z\`), IDs are UUIDs, and \`id\` of a domain is its ID in the panel. Unknown fields and parameters are rejected.

## Pagination

Lists that return \`nextCursor\` have more pages: send it as \`cursor\` with the same filters.

## Background operations

Long-running calls return \`202\` with \`{operation}\`. Poll \`GET /api/operations/{id}\` until its state is \`done\`, \`cancelled\`, or \`paused\`.

## Errors

All errors have the format \`{code, message, params?, issues?, provider?, requestId}\`. Programs should use \`code\`; \`message\` is English text for people. Retry "yes" means that the same call may succeed later; wait for the seconds in \`Retry-After\` if the header is present. "check first" means the same, but a change may already have been applied: read the resource before you repeat the call, or use an \`Idempotency-Key\`.

| Code | Status | Retry | Meaning and what to do |
| --- | --- | --- | --- |
${errorRows()
  .map(({ code, status, retry, text }) => `| \`${code}\` | ${status} | ${retry} | ${text} |`)
  .join('\n')}
`
