import type { Permission, SimAccount, SimToken, SimUser, SimZone } from './model.ts'
import { CloudflareError, refuse } from './reply.ts'
import type { State } from './state.ts'

/** The caller and the permissions of its credential. */
export type Caller = {
  /** Null for an account-owned token. */
  readonly user: SimUser | null
  /** Null for a global key, which has all permissions. */
  readonly token: SimToken | null
  readonly accountIds: ReadonlySet<string>
  /** The user, or the account of an account-owned token, whose budget is used. */
  readonly budgetKey: string
}

type CredentialHeaders = {
  readonly email: string | undefined
  readonly key: string | undefined
  readonly authorization: string | undefined
}

const KEY_FORMAT = /^[A-Za-z0-9_-]{30,}$/
const EMAIL_FORMAT = /^[^@\s]+@[^@\s]+$/
const TOKEN_FORMAT = /^Bearer [A-Za-z0-9_-]{30,}$/

/** Identifies the caller, or throws Cloudflare's error for such headers. */
export function identify(state: State, headers: CredentialHeaders): Caller {
  if (headers.authorization !== undefined) return identifyToken(state, headers.authorization)
  if (headers.email === undefined || headers.key === undefined)
    throw refuse(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers')
  if (!EMAIL_FORMAT.test(headers.email)) throw badHeader(6102, 'Invalid format for X-Auth-Email header')
  if (!KEY_FORMAT.test(headers.key)) throw badHeader(6103, 'Invalid format for X-Auth-Key header')
  const email = headers.email.toLowerCase()
  for (const user of state.usersById.values()) {
    if (user.email === email && user.globalKey !== null && user.globalKey === headers.key)
      return { user, token: null, accountIds: new Set(user.accountIds), budgetKey: user.id }
  }
  throw refuse(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email')
}

function identifyToken(state: State, authorization: string): Caller {
  if (!TOKEN_FORMAT.test(authorization)) throw badHeader(6111, 'Invalid format for Authorization header')
  const token = state.tokensByValue.get(authorization.slice('Bearer '.length))
  if (token === undefined) throw refuse(403, 9109, 'Invalid access token')
  if (token.owner.kind === 'account') {
    const { accountId } = token.owner
    return { user: null, token, accountIds: new Set([accountId]), budgetKey: accountId }
  }
  const user = state.usersById.get(token.owner.userId)
  if (user === undefined) throw refuse(403, 9109, 'Invalid access token')
  const ids = user.accountIds.filter((id) => token.accountIds === null || token.accountIds.includes(id))
  return { user, token, accountIds: new Set(ids), budgetKey: user.id }
}

/** Throws if the token is disabled, expired or has none of the permissions. "edit" includes "read". */
export function requirePermission(caller: Caller, anyOf: readonly Permission[], nowMs: number): void {
  const { token } = caller
  if (token === null) return
  if (tokenStatus(token, nowMs) !== 'active') throw refuse(403, 9109, 'Invalid access token')
  if (!token.permissions.some((held) => anyOf.some((needed) => held === needed || held === needed.replace(/:read$/, ':edit'))))
    throw refuse(403, 10000, 'Authentication error')
}

export function mayUseZone(caller: Caller, zone: SimZone): boolean {
  if (!caller.accountIds.has(zone.account.id)) return false
  return caller.token?.zoneIds == null || caller.token.zoneIds.includes(zone.id)
}

/** The zone of a path, or Cloudflare's error for a zone that is not the caller's. */
export function getZone(state: State, caller: Caller, zoneId: string): SimZone {
  const zone = state.zonesById.get(zoneId)
  if (zone === undefined) throw refuse(404, 1001, 'Invalid zone identifier')
  if (mayUseZone(caller, zone)) return zone
  throw caller.token === null ? refuse(403, 9109, 'Unauthorized to access requested resource') : refuse(403, 10000, 'Authentication error')
}

export function getAccount(state: State, caller: Caller, accountId: string): SimAccount {
  const account = state.accountsById.get(accountId)
  if (account === undefined || !caller.accountIds.has(accountId)) throw refuse(403, 9109, 'Unauthorized to access requested resource')
  return account
}

export function tokenStatus(token: SimToken, nowMs: number): 'active' | 'disabled' | 'expired' {
  if (token.status === 'disabled') return 'disabled'
  return token.expiresOnMs !== null && token.expiresOnMs <= nowMs ? 'expired' : 'active'
}

function badHeader(code: number, message: string): CloudflareError {
  return new CloudflareError(400, [{ code: 6003, message: 'Invalid request headers', error_chain: [{ code, message }] }])
}
