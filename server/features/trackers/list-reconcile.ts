import { domainToASCII, domainToUnicode } from 'node:url'
import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { getSharedScope } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { reconcileState } from '#shared/features/trackers/schema.ts'
import type {
  listReconcileInput,
  listReconcileOutput,
  ReconcileRow,
  reconcileIds,
  reconcileIdsInput,
} from '#shared/features/trackers/schema.ts'
import { scopeOf } from './list-trackers.ts'
import { bitOf, listReconcileIds, readReconcilePage } from './reconcile.repo.ts'
import type { ReconcileFilter, ReconcilePage } from './reconcile.repo.ts'
import { toTrackerDomain } from './tracker-domain-view.ts'

function readCursor(cursor: string | undefined): { readonly name: string; readonly key: string } | null {
  if (cursor === undefined) return null
  // Names come from trackers and may contain spaces.
  const at = cursor.lastIndexOf(' ')
  const [name, key] = [cursor.slice(0, Math.max(0, at)), cursor.slice(at + 1)]
  if (name === '' || !z.uuid().safeParse(key).success) {
    throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }] })
  }
  return { name, key }
}

/** Each tracker next to its owner's domains, naming only those that the actor sees; an administrator sees those of all owners. */
async function filterOf(
  ctx: Ctx,
  { ownerId, trackerIds, state, bound, search = '' }: z.output<typeof reconcileIdsInput>,
): Promise<ReconcileFilter> {
  const text = search.normalize('NFC').toLowerCase()
  return {
    ...(await scopeOf(ctx, ownerId)),
    seen: await getSharedScope(ctx),
    trackerIds: trackerIds ?? null,
    state: state ?? null,
    bound: bound ?? null,
    search: text === '' ? [] : [...new Set([text, domainToASCII(text) || text])],
  }
}

const statesOf = (bits: number) => reconcileState.options.filter((state) => (bits & bitOf(state)) !== 0)

function toRow({ key, name, bits, bound, domain, tracker, zone, registrar }: ReconcilePage['rows'][number]): ReconcileRow {
  return {
    key,
    states: statesOf(bits),
    bound,
    name,
    displayName: domainToUnicode(name) || name,
    tracker: tracker === null ? null : { id: tracker.id, kind: tracker.kind, name: tracker.name },
    trackerDomain: domain === null ? null : toTrackerDomain(domain),
    zone,
    wantedAddresses: tracker?.wanted ?? [],
    registrar:
      registrar === null
        ? null
        : { name: registrar.name, paidUntil: registrar.paidUntil === null ? null : new Date(registrar.paidUntil).toISOString() },
  }
}

/**
 * Compares trackers, Cloudflare and registrars as mirrored; nothing is queried. By name; domains in no tracker only on request.
 * @throws AppError validation_failed for an invalid cursor
 */
export async function listReconcile(
  ctx: Ctx,
  { cursor, limit, ...filter }: z.output<typeof listReconcileInput>,
): Promise<z.output<typeof listReconcileOutput>> {
  const { rows, counts, tally, readAt } = await readReconcilePage(ctx.db.orm, await filterOf(ctx, filter), {
    after: readCursor(cursor),
    limit,
  })
  const last = rows.at(-1)
  return {
    rows: rows.map(toRow),
    nextCursor: last === undefined || rows.length < limit ? null : `${last.name} ${last.key}`,
    counts: Object.fromEntries(reconcileState.options.map((state) => [state, counts[String(bitOf(state))] ?? 0])),
    tally: tally.map(({ bits, ...rest }) => ({ ...rest, states: statesOf(bits) })),
    readAt: readAt === null ? null : new Date(readAt).toISOString(),
  }
}

/** All matches across pages, for a repair through a preview. */
export const listReconcileAll = async (ctx: Ctx, input: z.output<typeof reconcileIdsInput>): Promise<z.output<typeof reconcileIds>> =>
  listReconcileIds(ctx.db.orm, await filterOf(ctx, input))
