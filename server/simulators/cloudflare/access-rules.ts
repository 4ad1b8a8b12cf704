import type { AccessRuleListResponse } from 'cloudflare/resources/firewall/access-rules'

import { isObject } from '../deliver.ts'
import { bodyOf, choiceOf, pageOf, slicePage } from './call.ts'
import type { Call } from './call.ts'
import { getAccount } from './caller.ts'
import type { SimAccessRule, SimZone } from './model.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import type { State } from './state.ts'
import { isoTime } from './zone-view.ts'

/**
 * IP Access rules of zones and accounts. Sources: the types of the `cloudflare` package (prefixes, modes, nullable answer of a deletion), the
 * pages "IP Access rules" of developers.cloudflare.com (countries are blocked on Enterprise only, 50,000 rules per account), and public clients
 * (10009 `duplicate_of_existing`, 10001 `not_found`, a deletion of a rule that is gone answers 200 with null, 1,000 rules per page).
 */
const MODES = ['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge'] as const
const TARGETS = ['ip', 'ip6', 'ip_range', 'asn', 'country'] as const
type Target = (typeof TARGETS)[number]
const PREFIXES = { v4: [16, 24], v6: [32, 48, 64] } as const
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

type Owner = { readonly key: string; readonly type: 'zone' | 'organization'; readonly accountId: string; readonly blocksCountries: boolean }

const ofZone = (zone: SimZone): Owner => ({
  key: zone.id,
  type: 'zone',
  accountId: zone.account.id,
  blocksCountries: zone.plan === 'enterprise',
})

function ofAccount(call: Call): Owner {
  const { id, type } = getAccount(call.state, call.caller, call.param)
  return { key: id, type: 'organization', accountId: id, blocksCountries: type === 'enterprise' }
}

/** GET /zones/{zone}/firewall/access_rules/rules: those of the account apply to the zone and are listed too. */
export const listZoneAccessRules = (call: Call, zone: SimZone): Reply =>
  list(call, [
    ...rulesOf(call.state, zone.id).map((rule) => view(rule, ofZone(zone))),
    ...rulesOf(call.state, zone.account.id).map((rule) =>
      view(rule, { key: zone.account.id, type: 'organization', accountId: zone.account.id, blocksCountries: false }),
    ),
  ])
export const createZoneAccessRule = (call: Call, zone: SimZone): Reply => create(call, ofZone(zone))
export const getZoneAccessRule = (call: Call, zone: SimZone): Reply => ok(view(ruleById(call, zone.id, call.param), ofZone(zone)))
export const editZoneAccessRule = (call: Call, zone: SimZone): Reply => edit(call, ofZone(zone), call.param)
export const deleteZoneAccessRule = (call: Call, zone: SimZone): Reply => remove(call, zone.id, call.param)

/** GET /accounts/{account}/firewall/access_rules/rules */
export function listAccountAccessRules(call: Call): Reply {
  const owner = ofAccount(call)
  return list(
    call,
    rulesOf(call.state, owner.key).map((rule) => view(rule, owner)),
  )
}
export const createAccountAccessRule = (call: Call): Reply => create(call, ofAccount(call))
export function getAccountAccessRule(call: Call): Reply {
  const owner = ofAccount(call)
  return ok(view(ruleById(call, owner.key, call.innerParam), owner))
}
export const editAccountAccessRule = (call: Call): Reply => edit(call, ofAccount(call), call.innerParam)
export const deleteAccountAccessRule = (call: Call): Reply => remove(call, ofAccount(call).key, call.innerParam)

/** A rule made outside the panel; returns its id. */
export function addAccessRule(
  state: State,
  key: string,
  { mode, target, value, notes }: Pick<SimAccessRule, 'mode' | 'target' | 'value' | 'notes'>,
): string {
  const nowMs = state.now()
  const rule = { id: state.nextId(), mode, target, value: stored(target, value), notes, createdOnMs: nowMs, modifiedOnMs: nowMs }
  state.accessRules.set(key, [...rulesOf(state, key), rule])
  return rule.id
}

const rulesOf = (state: State, key: string): readonly SimAccessRule[] => state.accessRules.get(key) ?? []

function list({ query }: Call, all: readonly AccessRuleListResponse[]): Reply {
  const target = choiceOf(query, 'configuration.target', TARGETS)
  const mode = choiceOf(query, 'mode', MODES)
  const value = query.get('configuration.value')
  const found = all.filter(
    (rule) =>
      (target === null || rule.configuration.target === target) &&
      (mode === null || rule.mode === mode) &&
      (value === null || rule.configuration.value === value),
  )
  const { items, info } = slicePage(found, pageOf(query, { min: 1, max: 1_000, fallback: 20 }))
  return ok(items, info)
}

function create(call: Call, owner: Owner): Reply {
  const { mode, configuration, notes = '' } = bodyOf(call)
  const { target, value } = isObject(configuration) ? configuration : {}
  const kind = TARGETS.find((each) => each === target)
  if (kind === undefined) throw invalid(`unsupported target received: ${String(target)}`)
  if (typeof value !== 'string' || !isValue(kind, value)) throw invalid(`invalid ${kind} provided`)
  if (typeof notes !== 'string') throw invalid('invalid notes')
  const action = requireMode(mode, kind, owner)
  const same = rulesOf(call.state, owner.key).some((rule) => rule.target === kind && rule.value === stored(kind, value))
  // Whatever the mode of the present rule is.
  if (same) throw refuse(400, 10009, 'firewallaccessrules.api.duplicate_of_existing')
  // The number and the text are not documented.
  if (countOf(call.state, owner.accountId) >= call.state.accessRuleLimit) throw refuse(400, 10010, 'firewallaccessrules.api.limit_exceeded')
  const id = addAccessRule(call.state, owner.key, { mode: action, target: kind, value, notes })
  return ok(view(ruleById(call, owner.key, id), owner))
}

/** PATCH: only the mode and the notes can change. */
function edit(call: Call, owner: Owner, id: string): Reply {
  const rule = ruleById(call, owner.key, id)
  const { mode = rule.mode, notes = rule.notes } = bodyOf(call)
  if (typeof notes !== 'string') throw invalid('invalid notes')
  const changed = { ...rule, mode: requireMode(mode, rule.target, owner), notes, modifiedOnMs: call.nowMs }
  call.state.accessRules.set(
    owner.key,
    rulesOf(call.state, owner.key).map((each) => (each === rule ? changed : each)),
  )
  return ok(view(changed, owner))
}

function remove(call: Call, key: string, id: string): Reply {
  const rules = rulesOf(call.state, key)
  if (!rules.some((rule) => rule.id === id)) return ok(null)
  call.state.accessRules.set(
    key,
    rules.filter((rule) => rule.id !== id),
  )
  return ok({ id })
}

function ruleById({ state }: Call, key: string, id: string): SimAccessRule {
  const rule = rulesOf(state, key).find((each) => each.id === id)
  if (rule === undefined) throw refuse(404, 10001, 'firewallaccessrules.api.not_found')
  return rule
}

const invalid = (what: string) => refuse(400, 10014, `firewallaccessrules.api.validation_error:${what}`)

function requireMode(given: unknown, target: Target, { blocksCountries }: Owner): SimAccessRule['mode'] {
  const mode = MODES.find((each) => each === given)
  if (mode === undefined) throw invalid(`invalid mode received: ${String(given)}`)
  // The text is not documented.
  if (target === 'country' && mode === 'block' && !blocksCountries)
    throw refuse(400, 10015, 'firewallaccessrules.api.not_entitled: blocking by country requires an Enterprise plan')
  return mode
}

function isValue(target: Target, value: string): boolean {
  const [address = '', prefix, ...more] = value.split('/')
  switch (target) {
    case 'ip':
      return IPV4.test(value)
    case 'ip6':
      return expanded(value) !== null
    case 'ip_range': {
      const allowed: readonly number[] = IPV4.test(address) ? PREFIXES.v4 : expanded(address) === null ? [] : PREFIXES.v6
      return more.length === 0 && allowed.includes(Number(prefix))
    }
    case 'asn':
      return /^AS[1-9]\d{0,9}$/.test(value)
    case 'country':
      return /^(?:[A-Z]{2}|T1)$/.test(value)
  }
}

/** Addresses of version 6 are answered with all their digits. */
function stored(target: Target, value: string): string {
  if (target !== 'ip6' && !(target === 'ip_range' && value.includes(':'))) return value
  const [address = '', prefix] = value.split('/')
  return `${expanded(address) ?? address}${prefix === undefined ? '' : `/${prefix}`}`
}

function expanded(address: string): string | null {
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return null
  const [before = '', after] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'))
  const [first, last] = [groups(before), groups(after)]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...zeros, ...last].map((each) => each.padStart(4, '0')).join(':')
}

function countOf(state: State, accountId: string): number {
  const keys = [accountId, ...[...state.zonesOfAccount(accountId)].map(({ id }) => id)]
  return keys.reduce((sum, key) => sum + rulesOf(state, key).length, 0)
}

function view(rule: SimAccessRule, { key, type, blocksCountries }: Owner): AccessRuleListResponse {
  const { id, mode, target, value, notes, createdOnMs, modifiedOnMs } = rule
  return {
    id,
    mode,
    configuration: { target, value },
    notes,
    allowed_modes: MODES.filter((each) => target !== 'country' || each !== 'block' || blocksCountries),
    created_on: isoTime(createdOnMs),
    modified_on: isoTime(modifiedOnMs),
    // The types of the package lack `zone`.
    scope: { id: key, type: type as 'organization' },
  }
}
