import { domainToASCII } from 'node:url'

import { isObject } from '../deliver.ts'
import { bodyOf } from './call.ts'
import type { Call } from './call.ts'
import { getAccount } from './caller.ts'
import type { SimAccount, SimZone } from './model.ts'
import { CloudflareError, okText, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import type { State } from './state.ts'
import { zoneText } from './zone-view.ts'

const CREATIONS_MAX = 25
const CREATIONS_WINDOW_MS = 600_000
const ATTEMPTS_MAX = 5
const ATTEMPTS_WINDOW_MS = 10_800_000

const NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/
/** Public suffixes with two labels; the real list is long, these occur in our worlds. */
const DOUBLE_SUFFIXES = new Set(['co.uk', 'org.uk', 'com.br', 'com.au', 'co.jp', 'com.ua', 'com.tr', 'co.za', 'com.mx', 'co.in'])
const RESERVED_SUFFIXES = new Set(['test', 'invalid', 'example', 'localhost', 'local', 'internal', 'onion'])

/** POST /zones. The order of the checks determines which of several errors is reported. */
export function createZone(call: Call): Reply {
  const { state } = call
  const body = bodyOf(call)
  const name = typeof body['name'] === 'string' ? asciiName(body['name']) : ''
  const account = accountOf(call, body['account'])
  const type = zoneType(body['type'])

  requireRegistrable(state, name)
  requireAttemptsLeft(state, name, call.nowMs)
  if (!account.mayCreateZones) throw refuse(403, 1106, 'Sorry, you are not allowed to create new zones. Please contact support.')
  if (state.refusals.banned.has(name))
    throw refuse(403, 1097, `This web property cannot be added to Cloudflare at this time. Please contact abusereply@cloudflare.com.`)
  if (state.refusals.temporarilyBanned.has(name)) throw refuse(403, 1098, 'This web property is temporarily banned.')
  if (state.refusals.lookupFailing.has(name))
    throw refuse(500, 1110, `Failed to lookup registrar and hosting information of ${name} at this time. Please try again later.`)
  if (type === 'partial' && account.type !== 'enterprise') throw refuse(403, 1104, 'Partial zone signup not allowed')
  requireNameFree(state, account, name)
  requirePendingAllowance(state, account)
  requireCreationsLeft(call)

  remember(state.creations, call.caller.budgetKey, call.nowMs, CREATIONS_WINDOW_MS)
  const plan = account.type === 'enterprise' ? 'enterprise' : 'free'
  return okText(zoneText(state.createZone(account, name, type, plan), call.nowMs))
}

/** International names are accepted in either form and stored in Punycode. */
function asciiName(name: string): string {
  const plain = name.trim().toLowerCase().replace(/\.$/, '')
  return /^[ -~]*$/.test(plain) ? plain : domainToASCII(plain)
}

function accountOf(call: Call, given: unknown): SimAccount {
  const id = isObject(given) && typeof given['id'] === 'string' ? given['id'] : [...call.caller.accountIds][0]
  if (id === undefined) throw refuse(403, 1068, 'Permission denied')
  return getAccount(call.state, call.caller, id)
}

function zoneType(value: unknown): SimZone['type'] {
  if (value === undefined) return 'full'
  if (value === 'full' || value === 'partial' || value === 'secondary' || value === 'internal') return value
  throw refuse(400, 1020, 'Invalid zone type')
}

function requireRegistrable(state: State, name: string): void {
  const labels = name.split('.')
  const suffixLabels = DOUBLE_SUFFIXES.has(labels.slice(-2).join('.')) ? 2 : 1
  const unknownRoot = `We were unable to identify ${name} as a registered domain. Please ensure you are providing the root domain and not any subdomains (e.g., example.com, not subdomain.example.com).`
  if (!NAME.test(name) || labels.length <= suffixLabels) throw refuse(400, 1099, unknownRoot)
  if (labels.length > suffixLabels + 1)
    throw refuse(
      400,
      1116,
      `Unable to add ${name}: provide the root domain and not a subdomain (e.g., example.com, not subdomain.example.com).`,
    )
  if (RESERVED_SUFFIXES.has(labels.at(-1) ?? '') || state.refusals.unregistered.has(name))
    throw refuse(400, 1049, `${name} is not a registered domain`)
}

function requireAttemptsLeft(state: State, name: string, nowMs: number): void {
  const tries = remember(state.attempts, name, nowMs, ATTEMPTS_WINDOW_MS)
  if (tries > ATTEMPTS_MAX)
    throw refuse(
      400,
      1105,
      'This zone has been temporarily restricted, because there were too many attempts to add it. Wait at least 3 hours before trying again. Contacting support does not shorten this.',
    )
}

function requireNameFree(state: State, account: SimAccount, name: string): void {
  const sameName = state.zonesNamed(name)
  if (sameName.some((zone) => zone.account === account)) throw refuse(400, 1061, `${name} already exists`)
  // The documentation gives the text of a hold and no code.
  if (sameName.some((zone) => zone.hold))
    throw refuse(400, 1000, `${name} is under a zone hold. Contact the owner of the domain to have the hold removed.`)
}

function requirePendingAllowance(state: State, account: SimAccount): void {
  let pending = 0
  let active = 0
  for (const zone of state.zonesOfAccount(account.id)) {
    if (zone.status === 'pending') pending++
    if (zone.status === 'active') active++
  }
  if (pending >= active + account.pendingAllowance)
    throw refuse(400, 1118, 'You have exceeded the limit for adding zones. Please activate some zones.')
}

function requireCreationsLeft(call: Call): void {
  const recent = (call.state.creations.get(call.caller.budgetKey) ?? []).filter((atMs) => atMs > call.nowMs - CREATIONS_WINDOW_MS)
  const oldest = recent[0]
  if (oldest === undefined || recent.length < CREATIONS_MAX) return
  const waitSeconds = Math.ceil((oldest + CREATIONS_WINDOW_MS - call.nowMs) / 1000)
  throw new CloudflareError(429, [{ code: 971, message: 'Please wait and consider throttling your request speed' }], {
    'retry-after': String(waitSeconds),
  })
}

/** Adds the current time to a list and returns how many entries are inside the window. */
function remember(lists: Map<string, number[]>, key: string, nowMs: number, windowMs: number): number {
  const recent = (lists.get(key) ?? []).filter((atMs) => atMs > nowMs - windowMs)
  recent.push(nowMs)
  lists.set(key, recent)
  return recent.length
}
