import type { z } from 'zod'
import { findDomainsWithRule, findLeadingBack, findReachable, readUnreadLists, withoutReplaced } from '#server/features/redirects/index.ts'
import { grantsOf, levelOf, noGrants } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { parseTarget } from '#shared/features/redirects/redirect-url.ts'
import type { previewDomainRedirectsOutput } from '#shared/features/redirects/schema.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import { boundDrafts } from '../bound-drafts.ts'
import type { DraftedZone } from '../operation-kind.ts'
import { listPlanZones } from '../plan-reading.repo.ts'
import type { PlanZone } from '../planned.ts'
import { planAccount, redirectOf, skip, together } from './plan-account-redirects.ts'
import type { DomainRedirectsInput } from './plan-account-redirects.ts'
import { idsOf, keepDraft } from '../preview-operation.ts'

const zonesPerRead = 5_000
const concurrentAccounts = 8

/**
 * Plans one redirect for each domain as one draft, in the lists of their accounts or as single redirects of the domains; sends nothing.
 * Lists that were never read are read first. Domains that neither is possible for are skipped with the reason.
 * @throws AppError no_domains, not_found, level_too_low, nothing_to_do, too_many_attempts
 */
export async function previewDomainRedirects(
  ctx: Ctx,
  input: DomainRedirectsInput,
): Promise<z.output<typeof previewDomainRedirectsOutput>> {
  await boundDrafts(ctx)
  const ids = await idsOf(ctx, input.target)
  if (ids.length === 0) throw new AppError('no_domains')
  const { usable, refused, host } = await selectUsable(ctx, ids, input)
  const failures = await readUnreadLists(ctx, [...new Set(usable.map(({ accountId }) => accountId))])
  const redirects = new Map(usable.map((zone) => [zone.name, redirectOf(zone, input)]))
  const reachable = withoutReplaced(await findReachable(ctx, [host]), redirects)
  const leadingBack = findLeadingBack(redirects, reachable, input.url)
  const zones = usable.filter(({ name }) => !leadingBack.has(name))
  const withRule = await findDomainsWithRule(
    ctx,
    zones.map(({ id }) => id),
  )
  const semaphore = createSemaphore(concurrentAccounts)
  const plans = await Promise.all(
    [...Map.groupBy(zones, ({ accountId }) => accountId)].map(([accountId, theirs]) =>
      semaphore(() => {
        const { accountEmail = '', lane = '' } = theirs[0] ?? {}
        return planAccount(ctx, { accountId, accountEmail, lane }, theirs, input, { withRule, failure: failures.get(accountId), reachable })
      }),
    ),
  )
  const drafted = [
    ...plans.flatMap((plan) => plan.drafted),
    ...usable.filter(({ name }) => leadingBack.has(name)).map((zone) => skip(zone, 'redirect_to_itself')),
    ...refused,
  ]
  const unchanged = plans.reduce((sum, { of }) => sum + of.unchanged, 0)
  const preview = await keepDraft(ctx, { kind: 'redirects', input: { url: input.url } }, [{ planned: drafted, unchanged }], null)
  return {
    ...preview,
    accounts: plans.map(({ of }) => of).toSorted((one, other) => one.account.localeCompare(other.account, 'en')),
    missingRecords: together(plans.map((plan) => plan.missingRecords)),
    dnsOnly: together(plans.map((plan) => plan.dnsOnly)),
  }
}

/** The domains that the actor may redirect, and that the target is not in; and its host. */
async function selectUsable(ctx: Ctx, ids: readonly string[], { url, includeSubdomains }: DomainRedirectsInput) {
  const parsed = parseTarget(url)
  const host = 'issue' in parsed ? '' : parsed.host
  const grants = ctx.actor.role === 'admin' ? noGrants : await grantsOf(ctx)
  const usable: PlanZone[] = []
  const refused: DraftedZone[] = []
  let allowed = 0
  for (let start = 0; start < ids.length; start += zonesPerRead) {
    for (const zone of await listPlanZones(ctx.db, ids.slice(start, start + zonesPerRead))) {
      const level = levelOf(ctx.actor, grants, zone)
      if (level === null) continue
      if (!isAtLeast(level, 'operate')) {
        refused.push(skip(zone, 'level_too_low'))
        continue
      }
      allowed += 1
      const isInside = host === zone.name || (includeSubdomains && host.endsWith(`.${zone.name}`))
      if (zone.isGone) refused.push(skip(zone, 'zone_gone'))
      else if (isInside) refused.push(skip(zone, 'redirect_to_itself'))
      else usable.push(zone)
    }
  }
  if (allowed === 0 && refused.length > 0) throw new AppError('level_too_low')
  return { usable, refused, host }
}
