import type { ListsList } from 'cloudflare/resources/rules/lists/lists'

import { isObject } from '../deliver.ts'
import { bodyOf } from './call.ts'
import type { Call, JsonObject } from './call.ts'
import { getAccount } from './caller.ts'
import type { PlanId, RedirectItem, SimList, SimListOperation } from './model.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import type { State } from './state.ts'
import { isoTime } from './zone-view.ts'

/** Source: the availability table of Bulk Redirects in developers.cloudflare.com. */
const QUOTAS: Readonly<Record<PlanId, { readonly lists: number; readonly urls: number }>> = {
  free: { lists: 5, urls: 10_000 },
  pro: { lists: 10, urls: 25_000 },
  business: { lists: 10, urls: 50_000 },
  enterprise: { lists: 25, urls: 1_000_000 },
}
const PLANS = ['enterprise', 'business', 'pro', 'free'] as const

const LIST_NAME = /^[a-z0-9_]{1,50}$/
const MOST_PER_PAGE = 500

/** GET /accounts/{account}/rules/lists */
export function listLists(call: Call): Reply {
  return ok([...listsOf(call).values()].map(listView))
}

/** POST /accounts/{account}/rules/lists */
export function createList(call: Call): Reply {
  const lists = listsOf(call)
  const body = bodyOf(call)
  const { name, kind, description = '' } = body
  if (typeof name !== 'string' || !LIST_NAME.test(name)) throw refuse(400, 10001, 'invalid list name')
  if (kind !== 'redirect') throw refuse(400, 10002, 'the simulator has lists of redirects only')
  if (typeof description !== 'string' || description.length > 500) throw refuse(400, 10003, 'invalid list description')
  if ([...lists.values()].some((list) => list.name === name)) throw refuse(400, 10004, `a list with the name ${name} already exists`)
  if (lists.size >= quotaOf(call).lists) throw refuse(400, 10005, 'exceeded the maximum number of lists')
  return ok(listView(addList(call.state, call.param, name, description)))
}

/** GET /accounts/{account}/rules/lists/{list} */
export function getList(call: Call): Reply {
  return ok(listView(listById(call)))
}

/** DELETE /accounts/{account}/rules/lists/{list} */
export function deleteList(call: Call): Reply {
  const { id } = listById(call)
  listsOf(call).delete(id)
  return ok({ id })
}

/** GET /accounts/{account}/rules/lists/{list}/items: in ascending order, one page after another by cursor. */
export function listItems(call: Call): Reply {
  const list = listById(call)
  const perPage = Number(call.query.get('per_page') ?? 25)
  if (!Number.isInteger(perPage) || perPage < 1 || perPage > MOST_PER_PAGE)
    throw refuse(400, 10000, `per_page must be between 1 and ${MOST_PER_PAGE}`)
  const start = Number(call.query.get('cursor') ?? 0)
  if (!Number.isInteger(start)) throw refuse(400, 10000, 'invalid cursor')
  const search = call.query.get('search') ?? ''
  const sources = [...list.items.keys()].filter((source) => source.includes(search)).toSorted()
  const end = start + perPage
  const page = sources.slice(start, end).flatMap((source) => list.items.get(source) ?? [])
  return ok(page, end < sources.length ? { cursors: { after: String(end) } } : {})
}

/** POST /accounts/{account}/rules/lists/{list}/items: an item whose source exists replaces it. */
export function addItems(call: Call): Reply {
  const list = listById(call)
  const items = itemsOf(call)
  const added = items.filter(({ redirect }) => !list.items.has(redirect.source_url)).length
  requireUrls(call, added)
  return start(call, list, () => put(list, items))
}

/** PUT /accounts/{account}/rules/lists/{list}/items: replaces all. */
export function replaceItems(call: Call): Reply {
  const list = listById(call)
  const items = itemsOf(call)
  requireUrls(call, items.length - list.items.size)
  return start(call, list, () => {
    list.items.clear()
    put(list, items)
  })
}

/** DELETE /accounts/{account}/rules/lists/{list}/items */
export function deleteItems(call: Call): Reply {
  const list = listById(call)
  const given = bodyOf(call)['items']
  const ids = Array.isArray(given) ? given.map((item: unknown) => (isObject(item) ? item['id'] : null)) : []
  if (ids.length === 0) throw refuse(400, 10006, 'no items to delete')
  const sources = new Map([...list.items].map(([source, { id }]) => [id as unknown, source]))
  const known = ids.map((id) => sources.get(id))
  if (known.includes(undefined)) throw refuse(404, 10007, 'could not find a list item')
  return start(call, list, () => {
    for (const source of known) list.items.delete(source ?? '')
  })
}

/** GET /accounts/{account}/rules/lists/bulk_operations/{operation} */
export function getListOperation(call: Call): Reply {
  listsOf(call)
  const operation = call.state.listOperations.get(call.param)?.find(({ id }) => id === call.innerParam)
  if (operation === undefined) throw refuse(404, 10008, 'could not find the operation')
  const { id, completedMs, startedMs } = operation
  if (completedMs !== null) return ok({ id, status: 'completed', completed: isoTime(completedMs) })
  return ok({ id, status: call.nowMs - startedMs < call.state.listOperationMs / 2 ? 'pending' : 'running' })
}

/** Stores what a person or another program made outside the panel. */
export function setList(state: State, accountId: string, name: string, redirects: readonly JsonObject[]): string {
  const lists = state.redirectLists.get(accountId) ?? new Map<string, SimList>()
  const list = [...lists.values()].find((each) => each.name === name) ?? addList(state, accountId, name, '')
  list.items.clear()
  put(
    list,
    redirects.map((redirect) => newItem(state, { redirect }, state.now())),
  )
  list.modifiedOnMs = state.now()
  return list.id
}

function addList(state: State, accountId: string, name: string, description: string): SimList {
  const nowMs = state.now()
  const list: SimList = { id: state.nextId(), name, description, createdOnMs: nowMs, modifiedOnMs: nowMs, items: new Map() }
  const lists = state.redirectLists.get(accountId) ?? new Map<string, SimList>()
  state.redirectLists.set(accountId, lists.set(list.id, list))
  return list
}

/** The lists of the account in the path, as its last operation left them. */
function listsOf(call: Call): Map<string, SimList> {
  const account = getAccount(call.state, call.caller, call.param)
  const last = call.state.listOperations.get(account.id)?.at(-1)
  if (last !== undefined && last.completedMs === null && call.nowMs - last.startedMs >= call.state.listOperationMs) {
    last.completedMs = last.startedMs + call.state.listOperationMs
    last.apply()
  }
  const lists = call.state.redirectLists.get(account.id) ?? new Map<string, SimList>()
  call.state.redirectLists.set(account.id, lists)
  return lists
}

function listById(call: Call): SimList {
  const list = listsOf(call).get(call.innerParam)
  if (list === undefined) throw refuse(404, 10009, 'could not find list')
  return list
}

/** One operation of an account runs at a time; a write meanwhile is refused. */
function start(call: Call, list: SimList, apply: () => void): Reply {
  const operations = call.state.listOperations.get(call.param) ?? []
  if (operations.some(({ completedMs }) => completedMs === null))
    throw refuse(429, 10010, 'there is a pending bulk operation for this account; try again later')
  const operation: SimListOperation = {
    id: call.state.nextId(),
    startedMs: call.nowMs,
    completedMs: null,
    apply: () => {
      apply()
      list.modifiedOnMs = call.state.now()
    },
  }
  call.state.listOperations.set(call.param, [...operations, operation])
  return ok({ operation_id: operation.id })
}

function put(list: SimList, items: readonly RedirectItem[]): void {
  for (const item of items) list.items.set(item.redirect.source_url, item)
}

function itemsOf(call: Call): RedirectItem[] {
  let given: unknown
  try {
    given = JSON.parse(call.rawBody.toString('utf8'))
  } catch {
    throw refuse(400, 6007, 'Malformed JSON in request body')
  }
  if (!Array.isArray(given) || !given.every(isObject)) throw refuse(400, 9207, 'Request body is invalid.')
  const items = given.map((item) => newItem(call.state, item, call.nowMs))
  const sources = new Set(items.map(({ redirect }) => redirect.source_url))
  if (sources.size < items.length) throw refuse(400, 10011, 'the request has several items with the same source_url')
  return items
}

function newItem(state: State, { redirect, comment }: JsonObject, nowMs: number): RedirectItem {
  const wrong = (what: string) => refuse(400, 10012, `invalid redirect: ${what}`)
  if (!isObject(redirect)) throw wrong('missing')
  const { source_url: source, target_url: target, status_code: status = 301 } = redirect
  if (typeof source !== 'string' || !isSource(source)) throw wrong('source_url')
  if (typeof target !== 'string' || !URL.canParse(target)) throw wrong('target_url')
  const code = ([301, 302, 307, 308] as const).find((each) => each === status)
  if (code === undefined) throw wrong('status_code')
  const flag = (name: string) => redirect[name] === true
  if (flag('preserve_query_string') && new URL(target).search !== '') throw wrong('target_url with a query string')
  const path = source.replace(/^https?:\/\//, '')
  if (flag('subpath_matching') && path.split('/').length - 1 > 16) throw wrong('source_url has more than 16 slashes')
  return {
    id: state.nextId(),
    ...(typeof comment === 'string' ? { comment } : {}),
    created_on: isoTime(nowMs),
    modified_on: isoTime(nowMs),
    redirect: {
      source_url: path.includes('/') ? source : `${source}/`,
      target_url: target,
      status_code: code,
      include_subdomains: flag('include_subdomains'),
      subpath_matching: flag('subpath_matching'),
      preserve_query_string: flag('preserve_query_string'),
      preserve_path_suffix: redirect['preserve_path_suffix'] !== false,
    },
  }
}

/** A host and a path, without anything else that a URL may have. */
function isSource(text: string): boolean {
  const rest = text.replace(/^https?:\/\//, '')
  return !/[?#@:*\s]/.test(rest) && /^[^/]+\./.test(rest) && URL.canParse(`https://${rest}`)
}

function requireUrls(call: Call, added: number): void {
  const { urls } = quotaOf(call)
  const used = [...listsOf(call).values()].reduce((sum, { items }) => sum + items.size, 0)
  if (added > 0 && used + added > urls)
    throw refuse(400, 10013, `exceeded the maximum number of URL redirects of the account: ${used + added} out of ${urls}`)
}

/** That of the best plan in the account. */
function quotaOf({ state, param }: Call) {
  const plans = new Set([...state.zonesOfAccount(param)].map(({ plan }) => plan))
  return QUOTAS[PLANS.find((plan) => plans.has(plan)) ?? 'free']
}

function listView(list: SimList): ListsList {
  return {
    id: list.id,
    name: list.name,
    description: list.description,
    kind: 'redirect',
    num_items: list.items.size,
    num_referencing_filters: 0,
    created_on: isoTime(list.createdOnMs),
    modified_on: isoTime(list.modifiedOnMs),
  }
}
