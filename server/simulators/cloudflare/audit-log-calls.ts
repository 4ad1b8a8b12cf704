import type { AuditListResponse } from 'cloudflare/resources/accounts/logs/audit'

import type { AuditEntry, AuditSettings } from './audit-log.ts'
import { choiceOf } from './call.ts'
import type { Call } from './call.ts'
import type { Caller } from './caller.ts'
import { getAccount } from './caller.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'

/**
 * The audit log of accounts, version 2. Sources: the types of the `cloudflare` package 7.3.0 (fields, `since` and `before` required, `cursor`,
 * `direction`, `limit`), the API reference of developers.cloudflare.com ("Get account audit logs (Version 2)": Account Settings Read or Write)
 * and Cloudflare's own client `apps/auditlogs` of github.com/cloudflare/mcp-server-cloudflare (at most 1,000 entries a page, times with
 * milliseconds). The next cursor is in `result_info.cursors.after` of the package and in `result_info.cursor` of that client; here in both. Nothing public says how late entries arrive, how long a cursor is valid, what an expired one
 * is answered with, and which products and resource types exist.
 */
const MOST_PER_PAGE = 1_000
const USUAL_PER_PAGE = 100
/** A call that changes nothing. */
const UNLOGGED = new Set(['/graphql'])

/** Who called; the address is documentation's own, because every caller of the simulator is on this machine. */
export function actorOf({ user, token }: Caller): AuditListResponse.Actor {
  return {
    ...(user === null ? { type: 'account' } : { id: user.id, email: user.email, type: 'user' }),
    context: token === null ? 'api_key' : 'api_token',
    ip_address: '192.0.2.10',
    ...(token === null ? {} : { token_id: token.id, token_name: token.name }),
  }
}

/** Whether Cloudflare logs such a call: reads and refused calls it does not. */
export const isLogged = (method: string, path: string, query: URLSearchParams, status: number): boolean =>
  method !== 'GET' && status < 300 && !UNLOGGED.has(path) && query.get('dry_run') !== 'true'

/** GET /accounts/{account}/logs/audit */
export function listAuditLog(call: Call): Reply {
  const { query, state, nowMs } = call
  const account = getAccount(state, call.caller, call.param)
  const { settings } = state.auditLog
  const sinceMs = timeOf(query, 'since')
  const beforeMs = timeOf(query, 'before')
  const limit = Number(query.get('limit') ?? USUAL_PER_PAGE)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_PER_PAGE)
    throw refuse(400, 1001, `limit must be between 1 and ${MOST_PER_PAGE}`)
  const sign = choiceOf(query, 'direction', ['asc', 'desc']) === 'asc' ? 1 : -1
  const keyOf = (entry: AuditEntry) => `${String(entry.timeMs).padStart(15, '0')} ${entry.id}`
  const after = cursorOf(query, settings)
  const found = state.auditLog
    .visible(account.id, nowMs)
    .filter((entry) => entry.timeMs >= sinceMs && entry.timeMs < beforeMs)
    .filter((entry) => after === null || (keyOf(entry) > after ? 1 : -1) === sign)
    .toSorted((left, right) => (keyOf(left) < keyOf(right) ? -sign : sign))
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const listed = settings.duplicates ? page.flatMap((entry) => [entry, entry]) : page
  const views = listed.map(({ view }) => view)
  // Identifiers are random.
  if (settings.shuffled) views.sort((left, right) => ((left.id ?? '') < (right.id ?? '') ? -1 : 1))
  return ok(views, found.length > limit && last !== undefined ? { cursor: btoa(keyOf(last)), cursors: { after: btoa(keyOf(last)) } } : {})
}

function cursorOf(query: URLSearchParams, settings: AuditSettings): string | null {
  const cursor = query.get('cursor')
  if (cursor === null || cursor === '') return null
  if (settings.cursorsExpired) throw refuse(400, 1002, 'invalid or expired cursor')
  return atob(cursor)
}

function timeOf(query: URLSearchParams, name: 'since' | 'before'): number {
  const given = query.get(name)
  const timeMs = Date.parse(given ?? '')
  if (given === null || !/^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(given) || Number.isNaN(timeMs))
    throw refuse(400, 1001, `${name} must be a date or a time that conforms to RFC 3339`)
  return timeMs
}
