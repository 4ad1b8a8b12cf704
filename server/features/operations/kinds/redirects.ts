import { z } from 'zod'
import { applyRedirects } from '#server/features/redirects/index.ts'
import type { RedirectChanges } from '#server/features/redirects/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { redirect } from '#shared/features/redirects/schema.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import type { DoneItem, OperationKind, Outcome, RunItem } from '../operation-kind.ts'
import type { ItemAccount, PlannedItem } from '../planned.ts'
import { noteProgress } from '../run-items.repo.ts'
import { createRecords, planDomainsUndo } from './redirect-records.ts'
import { applyDomainRule, domainRuleWork, isOwnRuleChange } from './redirect-rules.ts'
import { findResult, findStart, listPlannedWork, markRestUndone, markUndoneAt } from './undo-zones.repo.ts'

const changes = z.object({
  puts: z.array(z.object({ before: redirect.nullable(), after: redirect })),
  deletes: z.array(redirect),
})
const redirectsWork = z.object({ redirects: changes })
/** The changes to undo, and the item that made them. */
export const redirectsUndoWork = z.object({ redirects: changes, madeAt: z.int() })

/** Sources of the batch that were not sent, because they were as planned already or were changed by others. */
const progress = z.object({ unsent: z.array(z.string()).readonly() }).nullish()

/** Changes in one call. Cloudflare documents no limit; a plan, a call and an answer of this size are a few hundred kilobytes. */
const perItem = 1_000
const charactersPerItem = 500_000
/** What a list of changes shows of an item. */
const shownPerItem = 20
/** The call, and reading twice whether it is done. */
const callsPerItem = 3
const longestName = 120

interface DraftedRedirects {
  readonly zone: ItemAccount & { readonly id: null; readonly name: string }
  readonly plan: PlannedItem & { readonly work: z.infer<typeof redirectsWork> }
}

/** The changes of an account in batches, deletions first, so that they make room. */
export function draftRedirects(
  account: ItemAccount,
  { puts, deletes }: RedirectChanges,
  warningsOf: (source: string) => readonly string[] = () => [],
): DraftedRedirects[] {
  const all: (Redirect | RedirectChanges['puts'][number])[] = [...deletes, ...puts]
  const drafted: DraftedRedirects[] = []
  for (let start = 0; start < all.length;) {
    const batch: typeof all = []
    for (let characters = 0; start < all.length && batch.length < perItem && characters < charactersPerItem; start += 1) {
      const change = all[start]
      if (change === undefined) continue
      batch.push(change)
      characters += JSON.stringify(change).length
    }
    const work: RedirectChanges = {
      puts: batch.filter((change) => 'after' in change),
      deletes: batch.filter((change): change is Redirect => 'source' in change),
    }
    drafted.push({ zone: { ...account, id: null, name: nameOf(work) }, plan: planOf(work, warningsOf) })
  }
  return drafted
}

const sourcesOf = ({ puts, deletes }: RedirectChanges): string[] => [
  ...deletes.map(({ source }) => source),
  ...puts.map(({ after }) => after.source),
]

/** The first source, and how many more there are. */
function nameOf(work: RedirectChanges): string {
  const [first = '', ...others] = sourcesOf(work)
  return `${first.slice(0, longestName)}${others.length === 0 ? '' : ` +${others.length}`}`
}

function planOf(work: RedirectChanges, warningsOf: (source: string) => readonly string[]): DraftedRedirects['plan'] {
  const befores = [...work.deletes, ...work.puts.flatMap(({ before }) => before ?? [])]
  const afters = work.puts.map(({ after }) => after)
  const changed = work.puts.filter(({ before }) => before !== null).length
  return {
    before: befores.slice(0, shownPerItem).map(shown),
    after: afters.slice(0, shownPerItem).map(shown),
    dangers: [...new Set(sourcesOf(work).flatMap(warningsOf))],
    calls: callsPerItem,
    redirects: { added: afters.length - changed, changed, removed: work.deletes.length },
    work: { redirects: { puts: [...work.puts], deletes: [...work.deletes] } },
  }
}

/** Shown like a record: what it is, its name, and where it leads. */
const shown = ({ status, source, target }: Redirect) => ({ type: String(status), name: source, content: target })

async function run(ctx: Ctx, item: RunItem, work: RedirectChanges, signal: AbortSignal): Promise<Outcome> {
  const { done, heldBack } = await applyRedirects(ctx, item.accountId, work, {
    priority: 'bulk',
    signal,
    isRepeated: item.attempt > 1,
    since: (await findStart(ctx.db, item.operationId)) ?? new Date(ctx.clock.now()),
    unsent: progress.parse(await findResult(ctx.db, item.operationId, item.position))?.unsent ?? null,
    onSend: (unsent) => noteProgress(ctx.db.orm, item, { unsent }),
  })
  if (done === 0 && heldBack > 0) return { state: 'skipped', code: 'redirects_held_back' }
  return { state: 'done', ...(heldBack === 0 ? {} : { code: 'redirects_held_back' }) }
}

/**
 * Adds, changes and deletes redirects of an account. Its items are batches of them, and domains that get proxied records for them, or a single redirect of their own
 * instead.
 */
export const redirects: OperationKind = {
  /** The account that is changed, or where whole domains lead. */
  input: z.union([z.object({ accountId: z.uuid() }), z.object({ url: z.string() })]),
  run: (ctx, item, _input, signal) => {
    if (item.domainId === null) return run(ctx, item, redirectsWork.parse(item.plan.work).redirects, signal)
    const ofRule = domainRuleWork.safeParse(item.plan.work).data
    return ofRule === undefined ? createRecords(ctx, item) : applyDomainRule(ctx, item, ofRule, signal)
  },
  findOwnRuleChanges: (_ctx, { plan }, changes) => {
    const { data } = domainRuleWork.safeParse(plan.work)
    return Promise.resolve(data === undefined ? [] : changes.filter((change) => isOwnRuleChange(data, change)))
  },
  planUndo: async (ctx, { id }, done) => {
    const work = await listPlannedWork(
      ctx.db,
      id,
      done.map(({ position }) => position),
    )
    // The last batch first: what it needed room for is removed before the rest is restored.
    const batches = done.toReversed().flatMap((item) => {
      const { plan, result } = work.get(item.position) ?? {}
      return planItemUndo(item, plan, result)
    })
    const ofDomains = done.filter(({ domainId }) => domainId !== null)
    const removedOf = new Map<string, Redirect[]>()
    for (const { zone, plan } of batches)
      removedOf.set(zone.accountId, [...(removedOf.get(zone.accountId) ?? []), ...plan.work.redirects.deletes])
    return [...batches, ...(await planDomainsUndo(ctx, id, ofDomains, removedOf))]
  },
}

/** Only what was sent: a redirect that a person had already made stays. */
function planItemUndo({ position, accountId, accountEmail, lane }: DoneItem, plan: unknown, result: unknown) {
  const made = z.object({ work: redirectsWork }).safeParse(plan)
  if (!made.success) return []
  const unsent = new Set(progress.parse(result)?.unsent)
  const puts = made.data.work.redirects.puts.filter(({ after }) => !unsent.has(after.source))
  const deletes = made.data.work.redirects.deletes.filter(({ source }) => !unsent.has(source))
  const inverse: RedirectChanges = {
    puts: [
      ...puts.flatMap(({ before, after }) => (before === null ? [] : [{ before: after, after: before }])),
      ...deletes.map((after) => ({ before: null, after })),
    ],
    deletes: puts.flatMap(({ before, after }) => (before === null ? [after] : [])),
  }
  return draftRedirects({ accountId, accountEmail, lane }, inverse).map(({ zone, plan: drafted }) => ({
    zone,
    plan: { ...drafted, work: { ...drafted.work, madeAt: position } satisfies z.infer<typeof redirectsUndoWork> },
  }))
}

/** Runs the plan of `planItemUndo`; redirects that were changed since are kept. */
export async function undoRedirects(
  ctx: Ctx,
  item: RunItem,
  undoOf: string,
  { redirects: work, madeAt }: z.infer<typeof redirectsUndoWork>,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome = await run(ctx, item, work, signal)
  if (outcome.state === 'done') {
    await markUndoneAt(ctx.db, undoOf, madeAt)
    await markRestUndone(ctx.db, undoOf, madeAt)
  }
  return outcome
}
