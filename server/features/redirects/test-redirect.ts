import type { z } from 'zod'
import { findRulesets } from '#server/features/domains/rulesets/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { followRedirects, indexRedirects } from '#shared/features/redirects/graph.ts'
import { parseRequest, requestOf } from '#shared/features/redirects/redirect-url.ts'
import type { RedirectTest, testRedirectInput } from '#shared/features/redirects/schema.ts'
import { storedList } from './list-redirects.ts'
import { openAccount } from '#server/features/sync/index.ts'
import { listAll, listZones } from './redirects.repo.ts'

/**
 * Where a request of this address ends, by the stored redirects of the account. Rules of a domain decide before redirects of the account;
 * if one of them may apply, the result is not certain.
 * @throws AppError not_found, validation_failed
 */
export async function testRedirect(ctx: Ctx, { id, url }: z.output<typeof testRedirectInput>): Promise<RedirectTest> {
  const account = await openAccount(ctx, id, 'view')
  const start = parseRequest(url)
  if (start === null) throw new AppError('validation_failed', { issues: [{ path: 'url', message: 'invalid_url' }] })
  await storedList(ctx, account)
  const followed = followRedirects(indexRedirects(await listAll(ctx.db.orm, id)), start)
  const zones = new Map((await listZones(ctx.db.orm, id)).map((zone) => [zone.name, zone]))
  const zoneOf = (address: string) => {
    const labels = URL.canParse(address) ? requestOf(new URL(address)).host.split('.') : []
    return labels.map((_, at) => zones.get(labels.slice(at).join('.'))).find((found) => found !== undefined)
  }
  // Requests of other domains do not reach the account, so its redirects of them have no effect.
  const left = followed.hops.findIndex((hop) => zoneOf(hop.url) === undefined)
  const { hops, end, isLoop } =
    left === -1 ? followed : { hops: followed.hops.slice(0, left), end: followed.hops[left]?.url ?? start.href, isLoop: false }
  let uncertain: RedirectTest['uncertain'] = null
  for (const address of [...hops.map((hop) => hop.url), end]) {
    const zone = zoneOf(address)
    if (zone !== undefined) uncertain ??= await findUncertain(ctx, zone)
  }
  return {
    hops: hops.map(({ url: from, redirect }) => ({ url: from, by: redirect.source, kind: 'redirect', status: redirect.status })),
    end,
    isLoop,
    domain: zoneOf(start.href)?.name ?? null,
    uncertain,
  }
}

/** Whether the domain has rules that may decide before the account's redirects. */
async function findUncertain(ctx: Ctx, zone: { readonly id: string; readonly name: string }): Promise<RedirectTest['uncertain']> {
  const mirror = await findRulesets(ctx.db.orm, zone.id)
  if (mirror === null) return { domain: zone.name, reason: 'rules_not_read', rule: null }
  const rules = mirror.rulesets.find(({ phase }) => phase === 'http_request_dynamic_redirect')?.rules ?? []
  const active = rules.find(({ definition }) => definition.enabled)
  return active === undefined ? null : { domain: zone.name, reason: 'rule_not_evaluated', rule: active.definition.description }
}
