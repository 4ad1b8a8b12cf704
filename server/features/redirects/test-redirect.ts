import type { z } from 'zod'
import { findRulesets } from '#server/features/domains/rulesets/index.ts'
import type { RulesetMirror } from '#server/features/domains/rulesets/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { mostHops } from '#shared/features/redirects/graph.ts'
import { redirectPhase } from '#shared/features/redirects/own-list.ts'
import { parseRequest, requestOf } from '#shared/features/redirects/redirect-url.ts'
import type { RedirectTest, testRedirectInput } from '#shared/features/redirects/schema.ts'
import { decideByRules, findForwarding, findRewrite } from './decide-by-rules.policy.ts'
import { storedList } from './list-redirects.ts'
import { openLists } from './lists-in-order.ts'
import type { OrderedLists } from './lists-in-order.ts'
import { openAccount } from '#server/features/sync/index.ts'
import { parentsOf } from './parents-of.ts'
import { listZones } from './redirects.repo.ts'

type Hop = RedirectTest['hops'][number]
type Uncertain = NonNullable<RedirectTest['uncertain']>

/** What decides for one address. */
interface Step {
  readonly hop: Hop | null
  /** Null: the target is not a web address. */
  readonly next: URL | null
  readonly target: string
  readonly uncertain: Uncertain | null
}

/**
 * Where a visit of this address ends, and what decides at each step. Cloudflare runs the single redirects of a domain first, then its rewrites, then the lists of the
 * account in the order of their rules, and page rules last (developers.cloudflare.com/rules, "Execution order").
 * @throws AppError not_found, validation_failed, provider_*
 */
export async function testRedirect(ctx: Ctx, { id, url: given }: z.output<typeof testRedirectInput>): Promise<RedirectTest> {
  const account = await openAccount(ctx, id, 'view')
  const start = parseRequest(given)
  if (start === null) throw new AppError('validation_failed', { issues: [{ path: 'url', message: 'invalid_url' }] })
  const list = await storedList(ctx, account).catch(orNull)
  const lists = list === null ? null : await openLists(ctx, account, list).catch(orNull)
  const zones = new Map((await listZones(ctx.db.orm, id)).map((zone) => [zone.name, zone]))
  const zoneOf = (url: URL) =>
    parentsOf(requestOf(url).host)
      .map((name) => zones.get(name))
      .find((found) => found !== undefined)
  const result: RedirectTest = {
    hops: [],
    end: start.href,
    isLoop: false,
    domain: zoneOf(start)?.name ?? null,
    inactive: null,
    uncertain: null,
  }
  const seen = new Set<string>()
  for (let url: URL | null = start; url !== null;) {
    // Requests of other domains do not reach the account.
    const zone = zoneOf(url)
    if (zone === undefined) break
    const { hop, next, target, uncertain } = await decide(url, zone.name, await findRulesets(ctx.db.orm, zone.id), lists)
    result.uncertain ??= uncertain
    if (hop === null) {
      const own = list === null || list.rule === 'enabled' ? null : (lists?.findOwn(url) ?? null)
      if (list !== null && own !== null && list.rule !== 'enabled') result.inactive = { source: own.source, rule: list.rule }
      break
    }
    if (seen.has(url.href) || seen.size >= mostHops) {
      result.isLoop = true
      break
    }
    seen.add(url.href)
    result.hops.push(hop)
    result.end = next?.href ?? target
    url = next
  }
  return result
}

/** Without the lists the rules of the domains still decide. */
function orNull(error: unknown): null {
  const isUnreadable = error instanceof AppError && (error.code.startsWith('provider_') || error.code === 'redirect_account_unclear')
  if (isUnreadable) return null
  throw error
}

async function decide(url: URL, domain: string, mirror: RulesetMirror | null, lists: OrderedLists | null): Promise<Step> {
  const rulesOf = (phase: RulePhase) => mirror?.rulesets.find((ruleset) => ruleset.phase === phase)?.rules ?? []
  const isRead = mirror !== null && mirror.rulesets.every(({ phase, problem }) => phase !== redirectPhase || problem === null)
  let uncertain: Uncertain | null = isRead ? null : { domain, reason: 'rules_not_read', rule: null }
  const doubt = (reason: Uncertain['reason'], rule: string | null): void => {
    if (rule !== null || reason === 'lists_not_read') uncertain ??= { domain, reason, rule }
  }
  const single = decideByRules(rulesOf(redirectPhase), url)
  doubt('rule_not_evaluated', single.unclear)
  if (single.redirect !== null) {
    const { rule, status, url: next } = single.redirect
    return { hop: { url: url.href, by: rule, kind: 'rule', list: null, status }, next, target: next.href, uncertain }
  }
  const listed = await lists?.decide(url, domain).catch(orNull)
  if (listed === undefined || listed === null) doubt('lists_not_read', null)
  else if (listed.redirect !== null) {
    doubt('rule_not_evaluated', findRewrite(rulesOf('http_request_transform'), url))
    doubt('rule_not_evaluated', listed.unclear)
    const { source, list, status, url: next, target } = listed.redirect
    return { hop: { url: url.href, by: source, kind: 'redirect', list, status }, next, target, uncertain }
  } else doubt('rule_not_evaluated', listed.unclear)
  doubt('page_rule', findForwarding(mirror?.pageRules.rules ?? [], url))
  return { hop: null, next: null, target: url.href, uncertain }
}
