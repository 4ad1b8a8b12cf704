import type { z } from 'zod'
import { planRedirectChange } from '#server/features/redirects/index.ts'
import type { PlannedRedirects } from '#server/features/redirects/index.ts'
import { grantsOf, levelOf, noGrants } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { parseTarget } from '#shared/features/redirects/redirect-url.ts'
import type {
  AccountRedirects,
  previewDomainRedirectsInput,
  previewDomainRedirectsOutput,
  Redirect,
  RedirectPreview,
} from '#shared/features/redirects/schema.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import { boundDrafts } from '../bound-drafts.ts'
import type { DraftedZone } from '../operation-kind.ts'
import { listPlanZones } from '../plan-reading.repo.ts'
import type { PlanZone } from '../planned.ts'
import { idsOf, keepDraft } from '../preview-operation.ts'
import { draftRecords } from './redirect-records.ts'
import { draftRedirects } from './redirects.ts'

type Input = z.output<typeof previewDomainRedirectsInput>
type Sample = RedirectPreview['dnsOnly']

interface AccountPlan {
  readonly of: AccountRedirects
  readonly drafted: readonly DraftedZone[]
  readonly missingRecords: Sample
  readonly dnsOnly: Sample
}

const zonesPerRead = 5_000
/** Lists that were never read are read first. */
const concurrentAccounts = 8
const nothing: Sample = { count: 0, first: [] }

/**
 * Plans one redirect for each domain, in the lists of their accounts, as one draft; sends nothing. The domains of an account whose list
 * cannot be used are skipped with the reason.
 * @throws AppError no_domains, not_found, level_too_low, nothing_to_do, too_many_attempts
 */
export async function previewDomainRedirects(ctx: Ctx, input: Input): Promise<z.output<typeof previewDomainRedirectsOutput>> {
  await boundDrafts(ctx)
  const ids = await idsOf(ctx, input.target)
  if (ids.length === 0) throw new AppError('no_domains')
  const { usable, refused } = await selectUsable(ctx, ids, input)
  const semaphore = createSemaphore(concurrentAccounts)
  const plans = await Promise.all(
    [...Map.groupBy(usable, ({ accountId }) => accountId).values()].map((zones) => semaphore(() => planAccount(ctx, zones, input))),
  )
  const drafted = [...plans.flatMap((plan) => plan.drafted), ...refused]
  const unchanged = plans.reduce((sum, { of }) => sum + of.unchanged, 0)
  const preview = await keepDraft(ctx, { kind: 'redirects', input: { url: input.url } }, drafted, unchanged, null)
  return {
    ...preview,
    accounts: plans.map(({ of }) => of).toSorted((one, other) => one.account.localeCompare(other.account, 'en')),
    missingRecords: together(plans.map((plan) => plan.missingRecords)),
    dnsOnly: together(plans.map((plan) => plan.dnsOnly)),
  }
}

/** As many as a preview of one account lists. */
const together = (samples: readonly Sample[]): Sample => ({
  count: samples.reduce((sum, { count }) => sum + count, 0),
  first: samples.flatMap(({ first }) => first).slice(0, 100),
})

const skip = (zone: PlanZone, code: string): DraftedZone => ({ zone, plan: { refused: code } })

/** The domains that the actor may redirect, and that the target is not in. */
async function selectUsable(ctx: Ctx, ids: readonly string[], { url, includeSubdomains }: Input) {
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
      if (isInside) refused.push(skip(zone, 'redirect_to_itself'))
      else usable.push(zone)
    }
  }
  if (allowed === 0 && refused.length > 0) throw new AppError('level_too_low')
  return { usable, refused }
}

const sourceOf = ({ name }: PlanZone): string => `${name}/`

const redirectOf = (zone: PlanZone, { url, status, keepPath, keepQuery, includeSubdomains }: Input): Redirect => ({
  source: sourceOf(zone),
  target: url,
  status,
  preserveQueryString: keepQuery,
  includeSubdomains,
  subpathMatching: true,
  preservePathSuffix: keepPath,
})

async function planAccount(ctx: Ctx, zones: readonly PlanZone[], input: Input): Promise<AccountPlan> {
  const [{ accountId, accountEmail, lane } = { accountId: '', accountEmail: '', lane: '' }] = zones
  const of = { accountId, account: accountEmail, domains: zones.length }
  const plan = (some: readonly PlanZone[]) =>
    planRedirectChange(ctx, {
      id: accountId,
      csv: undefined,
      mode: 'merge',
      put: some.map((zone) => redirectOf(zone, input)),
      remove: [],
      createRecords: input.createRecords,
    })
  try {
    let planned = await plan(zones)
    // Other redirects of the account would lead back. The former redirect of a domain that is left out may close another loop.
    const looping: PlanZone[] = []
    for (let found = inLoop(planned, zones); found.length > 0; found = inLoop(planned, zones)) {
      looping.push(...found)
      planned = await plan(zones.filter((zone) => !looping.includes(zone)))
    }
    const { puts, deletes, records, warned, summary } = planned
    const warningsOf = (source: string) => [...warned].flatMap(([code, sources]) => (sources.has(source) ? [code] : []))
    const { added, changed, unchanged, count, othersCount, limit, missingRecords, dnsOnly } = summary
    return {
      of: { ...of, added, changed, unchanged, used: count + othersCount, limit, refused: null, message: null },
      drafted: [
        ...draftRecords({ accountId, accountEmail, lane }, records),
        ...draftRedirects({ accountId, accountEmail, lane }, { puts, deletes }, warningsOf),
        ...looping.map((zone) => skip(zone, 'redirect_to_itself')),
      ],
      missingRecords,
      dnsOnly,
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'too_many_attempts') throw error
    // The domains are visible, but not the account.
    const refused = error.code === 'not_found' ? 'level_too_low' : error.code
    const none = { added: 0, changed: 0, unchanged: 0, used: null, limit: null }
    return {
      of: { ...of, ...none, refused, message: error.provider?.message ?? null },
      drafted: zones.map((zone) => skip(zone, refused)),
      missingRecords: nothing,
      dnsOnly: nothing,
    }
  }
}

/** The domains that the planned redirects lead back to. Others may only end in such a loop. */
function inLoop({ loops, puts }: PlannedRedirects, zones: readonly PlanZone[]): PlanZone[] {
  const planned = new Set(puts.map(({ after }) => after.source))
  return zones.filter((zone) => {
    const source = sourceOf(zone)
    if (!planned.has(source)) return false
    const seen = new Set<string>()
    for (let at = loops.get(source); at !== undefined && !seen.has(at); at = loops.get(at)) {
      if (at === source) return true
      seen.add(at)
    }
    return false
  })
}
