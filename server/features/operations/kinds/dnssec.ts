import { z } from 'zod'
import { listDomainSettings } from '#server/features/domains/index.ts'
import { listDsPlaces, switchDnssec } from '#server/features/registrars/index.ts'
import type { CalledRegistrar, DnssecProgress } from '#server/features/registrars/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { dnssecRequest } from '#shared/features/operations/requests.ts'
import { atRegistrar } from '../estimate.policy.ts'
import type { DomainOperationKind, DoneItem, DraftedZone, Outcome, RunItem } from '../operation-kind.ts'
import type { PlannedItem } from '../planned.ts'
import { noteProgress } from '../run-items.repo.ts'
import { findResult, listResults, markUndoneAt } from './undo-zones.repo.ts'

const progressShape = z.object({
  turned: z.boolean().default(false),
  ds: z.boolean().default(false),
  removed: z.boolean().default(false),
  ttlSeconds: z.number().default(0),
  goneAtMs: z.number().nullable().default(null),
}) satisfies z.ZodType<DnssecProgress>

/** What happens to the DS record, and what a person has to know or do. */
function planned(enabled: boolean, registrar: CalledRegistrar | undefined): PlannedItem {
  return {
    before: { dnssec: !enabled, ds: null },
    after: { dnssec: enabled, ds: registrar?.name ?? null },
    dangers: [...(registrar === undefined ? [enabled ? 'ds_by_hand' : 'ds_removed_by_hand'] : []), ...(enabled ? [] : ['dnssec_waits'])],
    calls: 1,
    ...(registrar === undefined ? {} : { called: [atRegistrar(registrar)] }),
  }
}

async function run(ctx: Ctx, item: RunItem, enabled: boolean, signal: AbortSignal, only?: { turned: boolean; ds: boolean }) {
  if (item.domainId === null) throw new AppError('not_found')
  const progress = progressShape.parse((await findResult(ctx.db, item.operationId, item.position)) ?? {})
  const keep = (now: DnssecProgress) => noteProgress(ctx.db.orm, item, now)
  return switchDnssec(ctx, { id: item.domainId, enabled, batchId: item.operationId, progress, keep, only }, { priority: 'bulk', signal })
}

/** DNSSEC together with the DS record at the registrar, in the order in which the domain stays reachable. */
export const dnssec: DomainOperationKind<z.infer<typeof dnssecRequest>> = {
  input: dnssecRequest,
  async plan(ctx, zones, { enabled }) {
    const ids = zones.map(({ id }) => id)
    const [known, places] = [await listDomainSettings(ctx, ids), await listDsPlaces(ctx, ids)]
    return zones.map(({ id }) => {
      const now = known.get(id)
      if (now === undefined) return { refused: 'not_found' }
      const status = now.dnssecState?.status ?? null
      // `pending`: the registry does not publish the DS record yet.
      if (enabled ? status === 'active' : now.dnssec === false) return { unchanged: true }
      return { ...planned(enabled, places.get(id)), before: { dnssec: now.dnssec, ds: null } }
    })
  },
  async run(ctx, item, { enabled }, signal) {
    return { state: 'done', result: await run(ctx, item, enabled, signal) }
  },
  planUndo: planBack,
}

/** The `dnssec` item to undo, and what it changed. */
export const dnssecUndoWork = z.object({ dnssecAt: z.int(), enabled: z.boolean(), turned: z.boolean(), ds: z.boolean() })

/** Turns DNSSEC back, and the DS record, where the operation changed them and nobody else did since. */
async function planBack(
  ctx: Ctx,
  operation: { readonly id: string; readonly input: unknown },
  done: readonly DoneItem[],
): Promise<DraftedZone[]> {
  const { enabled } = dnssecRequest.parse(operation.input)
  const results = await listResults(ctx.db, operation.id)
  const ids = done.flatMap(({ domainId }) => domainId ?? [])
  const [known, places] = [await listDomainSettings(ctx, ids), await listDsPlaces(ctx, ids)]
  return done.map(({ position, domainId: id, ...zone }): DraftedZone => {
    const { turned, ds } = progressShape.parse(results.get(position) ?? {})
    const now = id === null ? undefined : known.get(id)
    const refused =
      now === undefined ? 'not_found' : !turned && !ds ? 'nothing_to_take_back' : now.dnssec !== enabled ? 'changed_since' : null
    if (refused !== null) return { zone: { ...zone, id }, plan: { refused } }
    const plan = planned(!enabled, ds && id !== null ? places.get(id) : undefined)
    return {
      zone: { ...zone, id },
      plan: {
        ...plan,
        ...(turned ? {} : { before: { dnssec: enabled, ds: null }, after: { ...(plan.after as object), dnssec: enabled } }),
        dangers: (plan.dangers ?? []).filter((code) => (code === 'dnssec_waits' ? turned : ds)),
        work: { dnssecAt: position, enabled: !enabled, turned, ds } satisfies z.infer<typeof dnssecUndoWork>,
      },
    }
  })
}

/** Runs the plan of `planBack`. */
export async function undoDnssec(
  ctx: Ctx,
  item: RunItem,
  undoOf: string,
  { dnssecAt, enabled, ...only }: z.infer<typeof dnssecUndoWork>,
  signal: AbortSignal,
): Promise<Outcome> {
  const result = await run(ctx, item, enabled, signal, only)
  await markUndoneAt(ctx.db, undoOf, dnssecAt)
  return { state: 'done', result }
}
