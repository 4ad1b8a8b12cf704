import { choiceOf, pageOf, slicePage } from './call.ts'
import type { Call } from './call.ts'
import { mayUseZone } from './caller.ts'
import type { SimZone } from './model.ts'
import { okText, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import type { State } from './state.ts'
import { planIdOf, zoneText } from './zone-view.ts'

const STATUSES = ['initializing', 'pending', 'active', 'moved'] as const
const TYPES = ['full', 'partial', 'secondary', 'internal'] as const
const ORDERS = ['name', 'status', 'account.id', 'account.name', 'plan.id'] as const

type Test = (zone: SimZone) => boolean

/** Cache of sorted lists, so that reading 2,000 pages does not sort 100,000 zones 2,000 times. */
const worked = new WeakMap<State, Map<string, { readonly version: string; readonly zones: readonly SimZone[] }>>()
const KEPT_LISTS = 64

/** GET /zones */
export function listZones(call: Call): Reply {
  const page = pageOf(call.query, { min: 5, max: 50, fallback: 20 })
  const { items, info } = slicePage(sortedZones(call), page)
  return okText(`[${items.map((zone) => zoneText(zone, call.nowMs)).join(',')}]`, info)
}

function sortedZones(call: Call): readonly SimZone[] {
  const { state, caller, query } = call
  let lists = worked.get(state)
  if (lists === undefined) {
    lists = new Map()
    worked.set(state, lists)
  }
  const params = [...query].filter(([name]) => name !== 'page' && name !== 'per_page')
  const key = `${caller.token?.value ?? caller.budgetKey} ${new URLSearchParams(params).toString()}`
  const version = `${state.zonesVersion} ${state.credentialsVersion}`
  const known = lists.get(key)
  if (known?.version === version) return known.zones
  const zones = filterAndSort(call)
  if (lists.size >= KEPT_LISTS) lists.delete(lists.keys().next().value ?? '')
  lists.set(key, { version, zones })
  return zones
}

function filterAndSort(call: Call): SimZone[] {
  const { state, caller, query } = call
  const tests = testsOf(query)
  const any = choiceOf(query, 'match', ['any', 'all']) === 'any' && tests.length > 0
  const types = query.getAll('type').flatMap((value) => value.split(','))
  for (const type of types) if (!TYPES.some((known) => known === type)) throw refuse(400, 6003, 'Invalid request parameters: type')
  const wanted = types.length === 0 ? TYPES.filter((type) => type !== 'internal') : types

  const zones: SimZone[] = []
  for (const accountId of caller.accountIds) {
    for (const zone of state.zonesOfAccount(accountId)) {
      if (!mayUseZone(caller, zone) || !wanted.includes(zone.type)) continue
      if (any ? tests.some((test) => test(zone)) : tests.every((test) => test(zone))) zones.push(zone)
    }
  }
  const order = choiceOf(query, 'order', ORDERS) ?? 'name'
  const sign = choiceOf(query, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1
  return zones.sort((left, right) => sign * (compare(orderKey(left, order), orderKey(right, order)) || compare(left.name, right.name)))
}

function testsOf(query: URLSearchParams): Test[] {
  const tests: Test[] = []
  const status = choiceOf(query, 'status', STATUSES)
  if (status !== null) tests.push((zone) => zone.status === status)
  const accountId = query.get('account.id')
  if (accountId !== null) tests.push((zone) => zone.account.id === accountId)
  const name = query.get('name')
  if (name !== null) {
    const matches = textTest(name)
    tests.push((zone) => matches(zone.name))
  }
  const accountName = query.get('account.name')
  if (accountName !== null) {
    const matches = textTest(accountName)
    tests.push((zone) => matches(zone.account.name))
  }
  return tests
}

/** `contains:shop`, `starts_with:a`, …; plain text means equal. */
function textTest(expression: string): (text: string) => boolean {
  const [, operator = 'equal', operand = expression] = /^([a-z_]+):(.*)$/.exec(expression) ?? []
  const sensitive = operator.endsWith('_case_sensitive')
  const normalizeCase = (text: string) => (sensitive ? text : text.toLowerCase())
  const needle = normalizeCase(operand)
  switch (operator.replace('_case_sensitive', '')) {
    case 'equal':
      return (text) => normalizeCase(text) === needle
    case 'not_equal':
      return (text) => normalizeCase(text) !== needle
    case 'starts_with':
      return (text) => normalizeCase(text).startsWith(needle)
    case 'ends_with':
      return (text) => normalizeCase(text).endsWith(needle)
    case 'contains':
      return (text) => normalizeCase(text).includes(needle)
    default:
      throw refuse(400, 6003, `Invalid request parameters: unknown operator ${operator}`)
  }
}

function orderKey(zone: SimZone, order: (typeof ORDERS)[number]): string {
  switch (order) {
    case 'name':
      return zone.name
    case 'status':
      return zone.status
    case 'account.id':
      return zone.account.id
    case 'account.name':
      return zone.account.name
    case 'plan.id':
      return planIdOf(zone)
  }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
