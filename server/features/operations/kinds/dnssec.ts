import { z } from 'zod'
import { listDomainSettings } from '#server/features/domains/index.ts'
import { listDsPlaces, switchDnssec } from '#server/features/registrars/index.ts'
import type { CalledRegistrar, DnssecProgress, DsChange } from '#server/features/registrars/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { dsRecord } from '#shared/features/domains/settings/schema.ts'
import { dnssecRequest } from '#shared/features/operations/requests.ts'
import { atRegistrar } from '../estimate.policy.ts'
import type { DomainOperationKind, DoneItem, DraftedZone, Outcome, RunItem } from '../operation-kind.ts'
import type { PlannedItem } from '../planned.ts'
import { noteProgress } from '../run-items.repo.ts'
import { findResult, listPlannedWork, markRestUndone, markUndoneAt } from './undo-zones.repo.ts'

const records = z.array(dsRecord).default([])
const progressShape = z.object({
  turned: z.boolean().default(false),
  added: records,
  removed: records,
  confirmed: z.boolean().default(false),
  ttlSeconds: z.number().default(0),
  goneAtMs: z.number().nullable().default(null),
}) satisfies z.ZodType<DnssecProgress>

/** What happens to DNSSEC and to the DS record, and what a person has to know or do. */
function planned(enabled: boolean, from: boolean | null, registrar: CalledRegistrar | null): PlannedItem {
  const turns = from !== enabled
  const byHand = enabled ? 'ds_by_hand' : 'ds_removed_by_hand'
  return {
    before: { dnssec: from, ds: null },
    after: { dnssec: enabled, ds: registrar?.name ?? null },
    dangers: [...(registrar === null && (turns || enabled) ? [byHand] : []), ...(enabled || !turns ? [] : ['dnssec_waits'])],
    calls: 1,
    ...(registrar === null ? {} : { called: [atRegistrar(registrar)] }),
  }
}

async function switchItem(
  ctx: Ctx,
  item: RunItem,
  given: { readonly enabled: boolean; readonly ds: DsChange | null; readonly turns: boolean },
  signal: AbortSignal,
): Promise<Outcome> {
  if (item.domainId === null) throw new AppError('not_found')
  const progress = progressShape.parse((await findResult(ctx.db, item.operationId, item.position)) ?? {})
  // The mark by which an item that ended early is undone too.
  const noted = (now: DnssecProgress) => ({ ...now, dnssecChanged: now.turned || now.added.length + now.removed.length > 0 })
  const keep = (now: DnssecProgress) => noteProgress(ctx.db.orm, item, noted(now))
  const own = { id: item.domainId, batchId: item.operationId, progress, keep }
  return { state: 'done', result: noted(await switchDnssec(ctx, { ...own, ...given }, { priority: 'bulk', signal })) }
}

/** DNSSEC together with the DS record at the registrar, in the order in which the domain stays reachable. */
export const dnssec: DomainOperationKind<z.infer<typeof dnssecRequest>> = {
  input: dnssecRequest,
  async plan(ctx, zones, { enabled }) {
    const ids = zones.map(({ id }) => id)
    const [known, places] = [await listDomainSettings(ctx, ids), await listDsPlaces(ctx, ids)]
    return zones.map(({ id }) => {
      const [now, place] = [known.get(id), places.get(id)]
      if (now === undefined || place === undefined) return { refused: 'not_found' }
      // `pending`: the registry does not publish the DS record yet.
      if (enabled ? now.dnssecState?.status === 'active' : now.dnssec === false) return { unchanged: true }
      if (enabled && !place.served) return { refused: 'dnssec_zone_inactive' }
      return planned(enabled, now.dnssec, place.registrar)
    })
  },
  run: (ctx, item, { enabled }, signal) =>
    switchItem(ctx, item, { enabled, turns: true, ds: enabled ? { add: 'wanted', remove: [] } : { add: [], remove: 'all' } }, signal),
  planUndo: planBack,
}

/** The `dnssec` item to undo, and what is turned back. */
export const dnssecUndoWork = z.object({ dnssecAt: z.int(), enabled: z.boolean(), turns: z.boolean(), add: records, remove: records })

/** Turns DNSSEC back, and the DS records, where the operation changed them and nobody else did since. */
async function planBack(
  ctx: Ctx,
  operation: { readonly id: string; readonly input: unknown },
  done: readonly DoneItem[],
): Promise<DraftedZone[]> {
  const { enabled } = dnssecRequest.parse(operation.input)
  const results = await listPlannedWork(
    ctx.db,
    operation.id,
    done.map(({ position }) => position),
  )
  const ids = done.flatMap(({ domainId }) => domainId ?? [])
  const [known, places] = [await listDomainSettings(ctx, ids), await listDsPlaces(ctx, ids)]
  return done.map(({ position, domainId: id, ...zone }): DraftedZone => {
    const { turned, added, removed } = progressShape.parse(results.get(position)?.result ?? {})
    const [now, place] = id === null ? [] : [known.get(id), places.get(id)]
    const moves = added.length + removed.length > 0
    // An item that ended before DNSSEC was turned off left it on.
    const is = now?.dnssec ?? null
    const refused =
      now === undefined || place === undefined
        ? 'not_found'
        : !turned && !moves
          ? 'nothing_to_take_back'
          : turned && is !== enabled
            ? 'changed_since'
            : !enabled && !place.served
              ? 'dnssec_zone_inactive'
              : null
    if (refused !== null) return { zone: { ...zone, id }, plan: { refused } }
    return {
      zone: { ...zone, id },
      plan: {
        ...planned(!enabled, turned ? enabled : !enabled, moves ? (place?.registrar ?? null) : null),
        work: { dnssecAt: position, enabled: !enabled, turns: turned, add: removed, remove: added } satisfies z.infer<
          typeof dnssecUndoWork
        >,
      },
    }
  })
}

/** Runs the plan of `planBack`. */
export async function undoDnssec(
  ctx: Ctx,
  item: RunItem,
  undoOf: string,
  { dnssecAt, enabled, turns, add, remove }: z.infer<typeof dnssecUndoWork>,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome = await switchItem(ctx, item, { enabled, turns, ds: { add, remove } }, signal)
  await markUndoneAt(ctx.db, undoOf, dnssecAt)
  await markRestUndone(ctx.db, undoOf, dnssecAt)
  return outcome
}
