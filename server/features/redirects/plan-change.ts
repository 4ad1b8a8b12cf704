import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mostRedirects } from '#shared/features/redirects/schema.ts'
import type { previewRedirectsInput, RedirectPreview } from '#shared/features/redirects/schema.ts'
import { findIneffective } from './find-ineffective.ts'
import type { DomainHosts } from './find-ineffective.ts'
import { findReachable } from './find-reachable.ts'
import type { Reachable } from './find-reachable.ts'
import { redirectLimit, storedList } from './list-redirects.ts'
import { openAccount } from '#server/features/sync/index.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import { planInWorker } from './plan-in-worker.ts'
import type { RedirectPlan } from './plan-redirects.policy.ts'
import { listAll } from './redirects.repo.ts'

export interface PlannedRedirects extends Pick<RedirectPlan, 'puts' | 'deletes'> {
  readonly account: OpenAccount
  readonly summary: RedirectPreview
  /** Sources by warning. */
  readonly warned: ReadonlyMap<string, ReadonlySet<string>>
  /** The hostnames to create a record for, by domain. */
  readonly records: readonly DomainHosts[]
}

/** What a preview lists of each kind; the counts are complete. */
const sampleSize = 100
/** The same of the changes themselves. */
const changesShown = 20
const sample = <T>(all: readonly T[]) => ({ count: all.length, first: all.slice(0, sampleSize) })

/**
 * Plans a change of an account's redirects from the stored ones; sends nothing.
 * @param reachable what a visit of the targets can go through; if it is absent, it is looked up
 * @throws AppError not_found, level_too_low, too_many_redirects, redirect_limit_reached, redirects_too_complex, redirect_put_and_removed
 */
export async function planRedirectChange(
  ctx: Ctx,
  { id, csv, mode, put, remove, createRecords }: z.output<typeof previewRedirectsInput>,
  reachable?: Reachable,
): Promise<PlannedRedirects> {
  const account = await openAccount(ctx, id)
  const { othersCount } = await storedList(ctx, account)
  const current = await listAll(ctx.db.orm, id)
  const plan = await planInWorker(ctx.actor.userId, { csv, mode, put, remove, current }, async (targetHosts) => {
    const { redirects, rules } = reachable ?? (await findReachable(ctx, targetHosts, id))
    return { redirects: redirects.filter(({ accountId }) => accountId !== id), rules }
  })
  if (plan.isTooLong) throw new AppError('too_many_redirects', { params: { most: mostRedirects } })
  if (plan.contradictory !== null) throw new AppError('redirect_put_and_removed', { params: { source: plan.contradictory } })
  const { puts, deletes, findings } = plan
  const added = puts.filter(({ before }) => before === null)
  const changed = puts.flatMap(({ before, after }) => (before === null ? [] : [{ before, after }]))
  const count = current.length + added.length - deletes.length
  const limit = await redirectLimit(ctx, id)
  if (added.length > 0 && count + othersCount > limit)
    throw new AppError('redirect_limit_reached', { params: { count: count + othersCount, limit } })
  // Redirects that are there already need a proxied record as well.
  const wanted = [...puts.map(({ after }) => after), ...plan.unchanged.map((source) => ({ source }))]
  const { foreign, unserved, dnsOnly, unread, missing } = await findIneffective(ctx, id, wanted)
  const sourcesOf = (found: typeof unserved) => found.map(({ source }) => source)
  const hostsOf = (found: typeof unserved) => [...new Set(found.map(({ host }) => host))]
  const unproxied = createRecords ? [] : sourcesOf(unserved)
  const [loops, chains, uncertain] = (['loop', 'chain', 'uncertain'] as const).map((kind) =>
    findings.filter((finding) => finding.kind === kind),
  )
  const links = (found: typeof loops) => sample((found ?? []).map(({ source, next }) => ({ source, next })))
  return {
    account,
    puts,
    deletes,
    summary: {
      added: added.length,
      changed: changed.length,
      removed: deletes.length,
      unchanged: plan.unchanged.length,
      first: {
        added: added.slice(0, changesShown).map(({ after }) => after),
        changed: changed.slice(0, changesShown),
        removed: deletes.slice(0, changesShown),
      },
      count,
      othersCount,
      limit,
      lineErrors: sample(plan.lineErrors),
      loops: links(loops),
      chains: links(chains),
      uncertain: links(uncertain),
      unchecked: !plan.isChecked,
      foreign: sample(foreign),
      unproxied: sample(unproxied),
      missingRecords: sample(missing.flatMap(({ hosts }) => hosts)),
      unreadRecords: sample(hostsOf(unread)),
      dnsOnly: sample(hostsOf(dnsOnly)),
    },
    records: createRecords ? missing : [],
    warned: new Map([
      ['redirect_loop', new Set((loops ?? []).map(({ source }) => source))],
      ['redirect_chain', new Set((chains ?? []).map(({ source }) => source))],
      ['redirect_foreign', new Set(foreign)],
      ['redirect_unproxied', new Set(unproxied)],
      ['redirect_dns_only', new Set(sourcesOf(dnsOnly))],
      // The items that create the records have this warning otherwise.
      ['records_unread', new Set(createRecords ? [] : sourcesOf(unread))],
    ]),
  }
}
