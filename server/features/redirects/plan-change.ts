import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { parseSource } from '#shared/features/redirects/redirect-url.ts'
import { mostRedirects } from '#shared/features/redirects/schema.ts'
import type { previewRedirectsInput, Redirect, RedirectPreview } from '#shared/features/redirects/schema.ts'
import { redirectLimit, storedList } from './list-redirects.ts'
import { openAccount } from '#server/features/sync/index.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import { planInWorker } from './plan-in-worker.ts'
import type { RedirectPlan } from './plan-redirects.policy.ts'
import { listAll, listProxied, listZones } from './redirects.repo.ts'

export interface PlannedRedirects extends Pick<RedirectPlan, 'puts' | 'deletes'> {
  readonly account: OpenAccount
  readonly summary: RedirectPreview
  /** Sources by warning. */
  readonly warned: ReadonlyMap<string, ReadonlySet<string>>
}

/** What a preview lists of each kind; the counts are complete. */
const sampleSize = 100
/** The same of the changes themselves. */
const changesShown = 20
const sample = <T>(all: readonly T[]) => ({ count: all.length, first: all.slice(0, sampleSize) })

/**
 * Plans a change of an account's redirects from the stored ones; sends nothing.
 * @throws AppError not_found, level_too_low, too_many_redirects, redirect_limit_reached, redirects_too_complex, redirect_put_and_removed
 */
export async function planRedirectChange(
  ctx: Ctx,
  { id, csv, mode, put, remove }: z.output<typeof previewRedirectsInput>,
): Promise<PlannedRedirects> {
  const account = await openAccount(ctx, id)
  const { othersCount } = await storedList(ctx, account)
  const current = await listAll(ctx.db.orm, id)
  const plan = await planInWorker(ctx.actor.userId, { csv, mode, put, remove, current })
  if (plan.isTooLong) throw new AppError('too_many_redirects', { params: { most: mostRedirects } })
  if (plan.contradictory !== null) throw new AppError('redirect_put_and_removed', { params: { source: plan.contradictory } })
  const { puts, deletes, findings } = plan
  const added = puts.filter(({ before }) => before === null)
  const changed = puts.flatMap(({ before, after }) => (before === null ? [] : [{ before, after }]))
  const count = current.length + added.length - deletes.length
  const limit = await redirectLimit(ctx, id)
  if (added.length > 0 && count + othersCount > limit)
    throw new AppError('redirect_limit_reached', { params: { count: count + othersCount, limit } })
  const { foreign, unproxied } = await findIneffective(
    ctx,
    id,
    puts.map(({ after }) => after),
  )
  const [loops, chains] = (['loop', 'chain'] as const).map((kind) => findings.filter((finding) => finding.kind === kind))
  const links = (found: typeof loops) => sample((found ?? []).map(({ source, next }) => ({ source, next })))
  return {
    account,
    puts,
    deletes,
    summary: {
      added: added.length,
      changed: changed.length,
      removed: deletes.length,
      unchanged: plan.unchanged,
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
      unchecked: !plan.isChecked,
      foreign: sample(foreign),
      unproxied: sample(unproxied),
    },
    warned: new Map([
      ['redirect_loop', new Set((loops ?? []).map(({ source }) => source))],
      ['redirect_chain', new Set((chains ?? []).map(({ source }) => source))],
      ['redirect_foreign', new Set(foreign)],
      ['redirect_unproxied', new Set(unproxied)],
    ]),
  }
}

/** The sources that no request can reach: their domain is not in the account, or its traffic does not pass through Cloudflare. */
async function findIneffective(ctx: Ctx, accountId: string, redirects: readonly Redirect[]) {
  const zones = new Map((await listZones(ctx.db.orm, accountId)).map((zone) => [zone.name, zone]))
  const served: { readonly source: string; readonly names: readonly string[] }[] = []
  const foreign: string[] = []
  for (const { source } of redirects) {
    const parsed = parseSource(source)
    if ('issue' in parsed) continue
    const zone = parentsOf(parsed.host).find((name) => zones.has(name))
    if (zone === undefined) foreign.push(source)
    // Without its records nothing is known.
    else if (zones.get(zone)?.isRead === true) served.push({ source, names: recordNames(parsed.host, zone) })
  }
  const wanted = [...new Set(served.flatMap(({ names }) => names))]
  const proxied = new Set(wanted.length === 0 ? [] : await listProxied(ctx.db.orm, accountId, wanted))
  return { foreign, unproxied: served.filter(({ names }) => !names.some((name) => proxied.has(name))).map(({ source }) => source) }
}

function parentsOf(host: string): string[] {
  const labels = host.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/** The records that answer for a host: its own and wildcards up to the domain. */
const recordNames = (host: string, zone: string): string[] => [
  host,
  ...parentsOf(host)
    .slice(1)
    .filter((parent) => parent === zone || parent.endsWith(`.${zone}`))
    .map((parent) => `*.${parent}`),
]
