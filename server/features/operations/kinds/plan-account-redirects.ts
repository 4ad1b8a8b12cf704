import type { z } from 'zod'
import { findRoom, planDomainRules, planRedirectChange } from '#server/features/redirects/index.ts'
import type { PlannedRedirects, Reachable } from '#server/features/redirects/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { AccountRedirects, previewDomainRedirectsInput, Redirect, RedirectPreview } from '#shared/features/redirects/schema.ts'
import type { DraftedZone } from '../operation-kind.ts'
import type { ItemAccount, PlanZone } from '../planned.ts'
import { draftRecords } from './redirect-records.ts'
import { draftDomainRule } from './redirect-rules.ts'
import { draftRedirects } from './redirects.ts'

export type DomainRedirectsInput = z.output<typeof previewDomainRedirectsInput>
export type HostSample = RedirectPreview['dnsOnly']

export interface AccountPlan {
  readonly of: AccountRedirects
  readonly drafted: readonly DraftedZone[]
  readonly missingRecords: HostSample
  readonly dnsOnly: HostSample
}

interface Known {
  /** Domains with a single redirect of the panel. */
  readonly withRule: ReadonlySet<string>
  /** Why the list of the account cannot be read. */
  readonly failure: AppError | undefined
  readonly reachable: Reachable
}

/** Where the list of the account refuses, but a rule of the domain may do the same. */
const replaceable: ReadonlySet<string> = new Set([
  'redirect_account_unclear',
  'redirect_limit_reached',
  'level_too_low',
  'provider_forbidden',
  'provider_not_found',
  'provider_rejected',
])

const sampleSize = 100
const sample = (hosts: readonly string[]): HostSample => ({ count: hosts.length, first: hosts.slice(0, sampleSize) })
/** As many as a preview of one account lists. */
export const together = (samples: readonly HostSample[]): HostSample => ({
  count: samples.reduce((sum, { count }) => sum + count, 0),
  first: samples.flatMap(({ first }) => first).slice(0, sampleSize),
})
const nothing = sample([])

export const skip = (zone: PlanZone, code: string): DraftedZone => ({ zone, plan: { refused: code } })

const sourceOf = ({ name }: PlanZone): string => `${name}/`

export const redirectOf = (zone: PlanZone, { url, status, keepPath, keepQuery, includeSubdomains }: DomainRedirectsInput): Redirect => ({
  source: sourceOf(zone),
  target: url,
  status,
  preserveQueryString: keepQuery,
  includeSubdomains,
  subpathMatching: true,
  preservePathSuffix: keepPath,
})

/**
 * Plans the redirects of domains of one account: in its list as far as there is room, and by a single redirect of the domain where the list
 * has none or cannot be used. A domain that has a single redirect of the panel keeps it, because it decides before the list.
 */
export async function planAccount(
  ctx: Ctx,
  place: ItemAccount,
  zones: readonly PlanZone[],
  input: DomainRedirectsInput,
  { withRule, failure, reachable }: Known,
): Promise<AccountPlan> {
  const [ruled, others] = [true, false].map((has) => zones.filter(({ id }) => withRule.has(id) === has))
  const byList = await planList(ctx, place.accountId, others ?? [], input, failure, reachable)
  const { planned, left, refused } = byList
  const isReplaced = refused !== null && replaceable.has(refused)
  const [updates, instead] = [
    await planRules(ctx, place, ruled ?? [], input),
    await planRules(ctx, place, isReplaced ? left : [], input),
  ] as const
  const { added = 0, changed = 0, unchanged = 0, missingRecords = nothing, dnsOnly = nothing } = planned?.summary ?? {}
  return {
    of: {
      accountId: place.accountId,
      account: place.accountEmail,
      domains: zones.length,
      added,
      changed,
      unchanged: unchanged + updates.unchanged + instead.unchanged,
      rules: instead.count,
      ruleUpdates: updates.count,
      used: byList.used,
      limit: byList.limit,
      refused,
      message: byList.message,
    },
    drafted: [
      // Records first: a redirect has no effect without them.
      ...(planned === null ? [] : draftRecords(place, planned.records)),
      ...updates.records,
      ...instead.records,
      ...(planned === null ? [] : draftPlanned(place, planned)),
      ...updates.drafted,
      ...instead.drafted,
      ...(refused === null || isReplaced ? [] : left.map((zone) => skip(zone, refused))),
    ],
    missingRecords: together([missingRecords, updates.missingRecords, instead.missingRecords]),
    dnsOnly: together([dnsOnly, updates.dnsOnly, instead.dnsOnly]),
  }
}

function draftPlanned(place: ItemAccount, { puts, deletes, warned }: PlannedRedirects): DraftedZone[] {
  const warningsOf = (source: string) => [...warned].flatMap(([code, sources]) => (sources.has(source) ? [code] : []))
  return draftRedirects(place, { puts, deletes }, warningsOf)
}

interface ListPlan extends Pick<AccountRedirects, 'used' | 'limit' | 'refused' | 'message'> {
  readonly planned: PlannedRedirects | null
  /** The domains that get no redirect in the list. */
  readonly left: readonly PlanZone[]
}

/** Redirects of these domains in the list of their account, as far as it has room. */
async function planList(
  ctx: Ctx,
  accountId: string,
  zones: readonly PlanZone[],
  input: DomainRedirectsInput,
  failure: AppError | undefined,
  reachable: Reachable,
): Promise<ListPlan> {
  const empty = { planned: null, left: [], used: null, limit: null, refused: null, message: null }
  if (zones.length === 0) return empty
  try {
    if (failure !== undefined) throw failure
    const { room, known, ...usage } = await findRoom(ctx, accountId, zones.map(sourceOf))
    const added = zones.filter((zone) => !known.has(sourceOf(zone)))
    const left = new Set(added.slice(room))
    const put = zones.filter((zone) => !left.has(zone)).map((zone) => redirectOf(zone, input))
    const { createRecords } = input
    const planned =
      put.length === 0
        ? null
        : await planRedirectChange(ctx, { id: accountId, csv: undefined, mode: 'merge', put, remove: [], createRecords }, reachable)
    const used = planned === null ? usage.used : planned.summary.count + planned.summary.othersCount
    return { ...empty, planned, left: [...left], used, limit: usage.limit, refused: left.size === 0 ? null : 'redirect_limit_reached' }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'too_many_attempts') throw error
    // The domains are visible, but not the account.
    const refused = error.code === 'not_found' ? 'level_too_low' : error.code
    return { ...empty, left: zones, refused, message: error.provider?.message ?? null }
  }
}

/** A single redirect of each of these domains. */
async function planRules(ctx: Ctx, place: ItemAccount, zones: readonly PlanZone[], input: DomainRedirectsInput) {
  if (zones.length === 0) return { count: 0, unchanged: 0, records: [], drafted: [], missingRecords: nothing, dnsOnly: nothing }
  const domains = zones.map((zone) => ({ id: zone.id, name: zone.name, redirect: redirectOf(zone, input) }))
  const { rules, ineffective } = await planDomainRules(ctx, place.accountId, domains)
  const [unserved, dnsOnly, unread] = [ineffective.unserved, ineffective.dnsOnly, ineffective.unread].map(
    (found) => new Set(found.map(({ host }) => host)),
  )
  const warningsOf = ({ name }: PlanZone): string[] => [
    ...(dnsOnly?.has(name) === true ? ['redirect_dns_only'] : []),
    ...(unserved?.has(name) === true && !input.createRecords ? ['redirect_unproxied'] : []),
    ...(unread?.has(name) === true && !input.createRecords ? ['records_unread'] : []),
  ]
  const refusedIds = new Set<string>()
  const drafted = zones.flatMap((zone, index): DraftedZone[] => {
    const rule = rules[index]
    if (rule === undefined || 'unchanged' in rule) return []
    if ('refused' in rule) {
      refusedIds.add(zone.id)
      return [{ zone, plan: rule }]
    }
    const plan = draftDomainRule(rule)
    return [{ zone, plan: { ...plan, dangers: [...plan.dangers, ...warningsOf(zone)] } }]
  })
  const missing = ineffective.missing.filter(({ domainId }) => !refusedIds.has(domainId))
  return {
    count: drafted.length - refusedIds.size,
    unchanged: zones.length - drafted.length,
    records: input.createRecords ? draftRecords(place, missing) : [],
    drafted,
    missingRecords: sample(missing.flatMap(({ hosts }) => hosts)),
    dnsOnly: sample([...(dnsOnly ?? [])]),
  }
}
