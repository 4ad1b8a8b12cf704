import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { ReserveProblem } from '#shared/features/trackers/schema.ts'
import { takeReserve } from './bindings.repo.ts'
import { pickReserve } from './reserve.ts'
import { problemsOf } from './reserve.policy.ts'
import { listPromised, listReserve } from './reserve.repo.ts'

/** A domain to be replaced. */
interface Failing {
  readonly id: string
  readonly ownerId: string
  readonly groupId: string | null
}
/** The replacement of a domain, or why there is none. */
export type SelectedReserve =
  | { readonly domainId: string }
  | { readonly refused: 'reserve_empty' }
  | { readonly refused: 'reserve_unready'; readonly name: string | null; readonly problems: readonly ReserveProblem[] }

/**
 * Selects a reserve domain for each of these domains: the paired one, or the next ready one. None is selected twice.
 * @param pairs ids of reserve domains, by the domains they are to replace
 */
export async function chooseReserve(
  ctx: Ctx,
  failing: readonly Failing[],
  pairs: ReadonlyMap<string, string>,
): Promise<Map<string, SelectedReserve>> {
  const taken = new Set([...failing.map(({ id }) => id), ...pairs.values()])
  const selected = new Map<string, SelectedReserve>()
  for (const [ownerId, theirs] of Map.groupBy(failing, (zone) => zone.ownerId)) {
    const paired = theirs.flatMap(({ id }) => pairs.get(id) ?? [])
    const [rows, promised] = await Promise.all([listReserve(ctx.db.orm, { ownerId, domainIds: paired }), listPromised(ctx.db.orm, ownerId)])
    const reserved = new Map(rows.map((row) => [row.domainId, row]))
    for (const { id } of theirs) {
      const domainId = pairs.get(id)
      if (domainId === undefined) continue
      const row = reserved.get(domainId)
      const problems = row === undefined ? [] : problemsOf(row, ctx.clock.now())
      const free = row !== undefined && problems.length === 0 && !promised.has(domainId) && reserved.delete(domainId)
      selected.set(id, free ? { domainId } : { refused: 'reserve_unready', name: row?.name ?? null, problems })
    }
    const left = theirs.filter(({ id }) => !pairs.has(id))
    for (const [groupId, some] of Map.groupBy(left, (zone) => zone.groupId)) {
      const candidates = await pickReserve(ctx, { ownerId, groupId, count: some.length, except: taken })
      for (const [index, { id }] of some.entries()) {
        const next = candidates[index]
        if (next !== undefined) taken.add(next.domainId)
        selected.set(id, next === undefined ? { refused: 'reserve_empty' } : { domainId: next.domainId })
      }
    }
  }
  return selected
}

/** Whether a domain is in the reserve now. */
export const isReserved = async (ctx: Ctx, domainId: string): Promise<boolean> =>
  (await listReserve(ctx.db.orm, { ownerId: null, domainIds: [domainId] })).length > 0

interface Replaced {
  readonly id: string
  readonly name: string
  readonly ownerId: string
}

/** Removes a reserve domain that has replaced another, and logs the reason for both. Does nothing when it is already removed. */
export async function noteReplaced(ctx: Ctx, tx: Transaction, old: Replaced, fresh: Replaced, reason: string): Promise<void> {
  if (!(await takeReserve(tx, fresh.id))) return
  const entry = ({ id, name, ownerId }: Replaced, details: object) =>
    ({ action: 'update', entityType: 'zone', entityId: id, entityName: name, ownerId, details: { ...details, reason } }) as const
  await audit(tx, ctx, entry(old, { replacedBy: fresh.name }), entry(fresh, { replaces: old.name }))
  await ctx.events.publish(tx, fresh.ownerId, 'trackers')
}
