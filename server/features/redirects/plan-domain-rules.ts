import { listRulesetMirrors, rulesetOf } from '#server/features/domains/rulesets/index.ts'
import type { Definition } from '#server/features/domains/rulesets/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findDomainRule, redirectPhase } from '#shared/features/redirects/own-list.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { domainRule, planDomainRule } from './domain-rule.policy.ts'
import { findIneffective } from './find-ineffective.ts'
import { listDomainsWithRule, listZones } from './redirects.repo.ts'

/** Rules of a domain are up to some hundred kilobytes. */
const mirrorsPerRead = 500
const domainsPerRead = 500

/** Those of these domains that have a single redirect of the panel, which decides before the list of their account. */
export async function findDomainsWithRule(ctx: Ctx, domainIds: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let start = 0; start < domainIds.length; start += domainsPerRead)
    for (const id of await listDomainsWithRule(ctx.db.orm, domainIds.slice(start, start + domainsPerRead))) found.add(id)
  return found
}

/** The stored single redirects of the panel, by domain. */
export async function listDomainRules(ctx: Ctx, domainIds: readonly string[]): Promise<Map<string, Definition>> {
  const ids = [...(await findDomainsWithRule(ctx, domainIds))]
  const found = new Map<string, Definition>()
  for (let start = 0; start < ids.length; start += mirrorsPerRead)
    for (const [id, mirror] of await listRulesetMirrors(ctx.db.orm, ids.slice(start, start + mirrorsPerRead))) {
      const own = findDomainRule(rulesetOf(mirror, redirectPhase).rules)
      if (own !== undefined) found.set(id, own.definition)
    }
  return found
}

/** Plans a single redirect of each of these domains of one account; sends nothing. */
export async function planDomainRules(
  ctx: Ctx,
  accountId: string,
  domains: readonly { readonly id: string; readonly name: string; readonly redirect: Redirect }[],
) {
  const plans = new Map((await listZones(ctx.db.orm, accountId)).map(({ id, plan }) => [id, plan]))
  const rules: ReturnType<typeof planDomainRule>[] = []
  for (let start = 0; start < domains.length; start += mirrorsPerRead) {
    const some = domains.slice(start, start + mirrorsPerRead)
    const mirrors = await listRulesetMirrors(
      ctx.db.orm,
      some.map(({ id }) => id),
    )
    rules.push(...some.map(({ id, name, redirect }) => planDomainRule(domainRule(name, redirect), mirrors.get(id), plans.get(id) ?? null)))
  }
  const redirects = domains.map(({ redirect }) => redirect)
  return { rules, ineffective: await findIneffective(ctx, accountId, redirects) }
}
