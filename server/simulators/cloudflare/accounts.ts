import { choiceOf, pageOf, slicePage } from './call.ts'
import type { Call } from './call.ts'
import { getAccount, tokenStatus } from './caller.ts'
import type { SimAccount, SimToken } from './model.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import { isoTime } from './zone-view.ts'

/** GET /accounts */
export function listAccounts(call: Call): Reply {
  const page = pageOf(call.query, { min: 5, max: 50, fallback: 20 })
  const name = call.query.get('name')
  const { items, info } = slicePage(
    accountsOf(call).filter((account) => name === null || account.name === name),
    page,
  )
  return ok(items.map(accountView), info)
}

/** GET /accounts/{account} */
export function getAccountDetails(call: Call): Reply {
  return ok(accountView(getAccount(call.state, call.caller, call.param)))
}

/** GET /memberships */
export function listMemberships(call: Call): Reply {
  const { user } = call.caller
  if (user === null) throw refuse(403, 10000, 'Authentication error')
  const page = pageOf(call.query, { min: 5, max: 50, fallback: 20 })
  const { items, info } = slicePage(accountsOf(call), page)
  return ok(
    items.map((account) => ({
      id: account.id.split('').toReversed().join(''),
      status: 'accepted',
      roles: ['Super Administrator - All Privileges'],
      account: accountView(account),
      permissions: { zones: { read: true, write: true }, dns_records: { read: true, write: true } },
    })),
    info,
  )
}

/** GET /user */
export function getUser(call: Call): Reply {
  const { user } = call.caller
  if (user === null) throw refuse(403, 9109, 'Valid user-level authentication not found')
  const plans = new Set(accountsOf(call).flatMap((account) => [...call.state.zonesOfAccount(account.id)].map((zone) => zone.plan)))
  return ok({
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    username: user.id,
    telephone: null,
    country: null,
    zipcode: null,
    two_factor_authentication_enabled: true,
    two_factor_authentication_locked: false,
    suspended: false,
    has_pro_zones: plans.has('pro'),
    has_business_zones: plans.has('business'),
    has_enterprise_zones: plans.has('enterprise'),
    betas: [],
    organizations: [],
    created_on: isoTime(Date.UTC(2019, 0, 1)),
    modified_on: isoTime(Date.UTC(2025, 0, 1)),
  })
}

/** GET /user/tokens/verify: for user-owned tokens; an account-owned one gets 1000, valid or not. */
export function verifyUserToken(call: Call): Reply {
  const { token } = call.caller
  if (token?.owner.kind !== 'user') throw refuse(401, 1000, 'Invalid API Token')
  return verification(token, call.nowMs)
}

/** GET /accounts/{account}/tokens/verify: the reverse. */
export function verifyAccountToken(call: Call): Reply {
  const { token } = call.caller
  if (token?.owner.kind !== 'account' || token.owner.accountId !== call.param) throw refuse(401, 1000, 'Invalid API Token')
  return verification(token, call.nowMs)
}

function verification(token: SimToken, nowMs: number): Reply {
  const status = tokenStatus(token, nowMs)
  return ok({ id: token.id, status, ...(token.expiresOnMs === null ? {} : { expires_on: isoTime(token.expiresOnMs) }) })
}

function accountsOf(call: Call): readonly SimAccount[] {
  const sign = choiceOf(call.query, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1
  return [...call.caller.accountIds]
    .flatMap((id) => call.state.accountsById.get(id) ?? [])
    .toSorted((left, right) => (left.name < right.name ? -sign : sign))
}

function accountView(account: SimAccount) {
  return {
    id: account.id,
    name: account.name,
    type: account.type,
    settings: { enforce_twofactor: false },
    created_on: isoTime(account.createdOnMs),
  }
}
