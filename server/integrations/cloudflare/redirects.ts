import type { CallOptions, HostedRedirect, RedirectCalls } from '#server/ports/dns-host.ts'
import type { Client } from './client.ts'
import { isMissingEntryPoint, toRuleset } from './rulesets.ts'
import * as wire from './wire.ts'

const ofLists = '/accounts/{account}/rules/lists'
const ofItems = `${ofLists}/{list}/items`
const ofRulesets = '/accounts/{account}/rulesets'
const ofRules = `${ofRulesets}/{ruleset}/rules`
/** The phase in which rules enable lists of redirects. */
const phase = 'http_request_redirect'
const perPage = 500

/** The lists of redirects of accounts. A list as a whole is never replaced, and rules that others made are never sent. */
export function redirectCalls(client: Client): RedirectCalls {
  const { read, result } = client

  return {
    listRedirectLists: async (account, options) =>
      (await read(ofLists, { account }, wire.redirectLists, options))
        .filter(({ kind }) => kind === 'redirect')
        .map(({ id, name, num_items }) => ({ id, name, redirectsCount: num_items ?? 0 })),
    createRedirectList: async (account, { name, description }, options) => {
      const body = { name, description, kind: 'redirect' }
      const { id } = await result({ method: 'POST', path: ofLists, ids: { account }, body, repeat: 'once' }, wire.redirectList, options)
      return { id, name, redirectsCount: 0 }
    },
    listRedirects: (account, list, options) => listRedirects(client, account, list, options),
    // A source that exists is replaced, so that a repeated call leads to the same list.
    putRedirects: async (account, list, redirects, options) => {
      const body = redirects.map((redirect) => ({ redirect: toWire(redirect) }))
      const call = { method: 'POST', path: ofItems, ids: { account, list }, body, repeat: 'idempotent', ownLimit: true } as const
      return (await result(call, wire.listOperationStarted, options)).operation_id
    },
    deleteRedirects: async (account, list, itemIds, options) => {
      const body = { items: itemIds.map((id) => ({ id })) }
      const call = { method: 'DELETE', path: ofItems, ids: { account, list }, body, repeat: 'once', ownLimit: true } as const
      return (await result(call, wire.listOperationStarted, options)).operation_id
    },
    getListOperation: async (account, operation, options) => {
      const found = await read(`${ofLists}/bulk_operations/{operation}`, { account, operation }, wire.listOperation, options)
      if (found.status === 'failed') return { state: 'failed', message: found.error ?? '' }
      return { state: found.status === 'completed' ? 'completed' : 'running' }
    },
    getRedirectRules: async (account, options) => {
      try {
        return toRuleset(await read(`${ofRulesets}/phases/{phase}/entrypoint`, { account, phase }, wire.ruleset, options))
      } catch (error) {
        if (isMissingEntryPoint(error)) return null
        throw error
      }
    },
    createRedirectRules: async (account, rules, options) => {
      const body = { name: 'default', kind: 'root', phase, rules }
      return toRuleset(await result({ method: 'POST', path: ofRulesets, ids: { account }, body, repeat: 'once' }, wire.ruleset, options))
    },
    createRedirectRule: async (account, ruleset, body, options) =>
      toRuleset(await result({ method: 'POST', path: ofRules, ids: { account, ruleset }, body, repeat: 'once' }, wire.ruleset, options)),
  }
}

async function listRedirects(
  { call }: Client,
  account: string,
  list: string,
  { search, ...options }: CallOptions & { readonly search?: string },
): Promise<HostedRedirect[]> {
  const all: HostedRedirect[] = []
  for (let cursor: string | undefined; ;) {
    const query = { per_page: perPage, cursor, search }
    const { result, info } = await call(
      { method: 'GET', path: ofItems, ids: { account, list }, query, repeat: 'read' },
      wire.redirectItems,
      options,
    )
    for (const { id, redirect } of result) {
      all.push({
        itemId: id,
        source: redirect.source_url,
        target: redirect.target_url,
        status: redirect.status_code ?? 301,
        includeSubdomains: redirect.include_subdomains ?? false,
        subpathMatching: redirect.subpath_matching ?? false,
        preserveQueryString: redirect.preserve_query_string ?? false,
        // On by default, unlike the others.
        preservePathSuffix: redirect.preserve_path_suffix ?? true,
      })
    }
    const next = info?.cursors?.after ?? ''
    if (next === '' || next === cursor) return all
    cursor = next
  }
}

const toWire = (redirect: Omit<HostedRedirect, 'itemId'>) => ({
  source_url: redirect.source,
  target_url: redirect.target,
  status_code: redirect.status,
  include_subdomains: redirect.includeSubdomains,
  subpath_matching: redirect.subpathMatching,
  preserve_query_string: redirect.preserveQueryString,
  preserve_path_suffix: redirect.preservePathSuffix,
})
