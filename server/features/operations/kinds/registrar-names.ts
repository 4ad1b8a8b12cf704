import { z } from 'zod'
import { callsForAutoRenew, listHeldNames, renewName, setAutoRenew } from '#server/features/registrars/index.ts'
import type { CalledRegistrar } from '#server/features/registrars/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { money } from '#shared/features/registrars/schema.ts'
import { atRegistrar } from '../estimate.policy.ts'
import type { DoneItem, DraftedZone, OperationKind, Outcome, RunItem } from '../operation-kind.ts'
import type { ItemAccount, PlannedItem } from '../planned.ts'
import { listResults, markUndoneAt } from './undo-zones.repo.ts'

/**
 * For work done at a registrar, the registrar takes the place of the account: it is the concurrency key, and its refusals stop the
 * remaining items.
 */
export const placeAt = ({ id, name }: Pick<CalledRegistrar, 'id' | 'name'>): ItemAccount => ({
  accountId: id,
  accountEmail: name,
  lane: `registrar ${id}`,
})

/** Where an item runs that only calls a registrar. */
export const onlyAt = (registrar: CalledRegistrar): Pick<PlannedItem, 'calls' | 'called' | 'at'> => ({
  calls: 0,
  called: [atRegistrar(registrar)],
  at: { kind: 'registrar', ...placeAt(registrar) },
})

const known = z.object({ autoRenew: z.boolean().nullable() })
/** The result of an `autoRenew` item: the registrar's previous value; null if it is unknown. */
const switched = z.object({ before: z.boolean().nullable() })
const switchRequest = z.object({ enabled: z.boolean() })

/** Switches automatic renewal of these names on or off. */
export const autoRenew: OperationKind<z.infer<typeof switchRequest>> = {
  input: switchRequest,
  async run(ctx, item, { enabled }, signal) {
    const found = await setAutoRenew(ctx, { registrarId: item.accountId, name: item.name, enabled }, { priority: 'bulk', signal })
    // On a retry the value found may be this item's own change.
    const before = found === enabled && item.attempt > 1 ? (known.safeParse(item.plan.before).data?.autoRenew ?? null) : found
    return { state: 'done', result: { before } satisfies z.infer<typeof switched> }
  },
  planUndo: planAutoRenewAgain,
}

/** The `autoRenew` item to undo, and the value to restore. */
export const autoRenewWork = z.object({ switchedAt: z.int(), enabled: z.boolean() })

/** Restores automatic renewal from before an operation where the registrar still has the value that it set. */
async function planAutoRenewAgain(ctx: Ctx, operation: { readonly id: string; readonly input: unknown }, done: readonly DoneItem[]) {
  const { enabled: set } = switchRequest.parse(operation.input)
  const results = await listResults(ctx.db, operation.id)
  const keyOf = (registrarId: string, name: string) => `${registrarId} ${name}`
  const names = await listHeldNames(ctx, { names: done.map(({ accountId: registrarId, name }) => ({ registrarId, name })) })
  const held = new Map(names.flatMap((name) => ('refused' in name ? [] : [[keyOf(name.registrarId, name.name), name] as const])))
  return done.map(({ position, domainId: id, ...zone }): DraftedZone => {
    const name = held.get(keyOf(zone.accountId, zone.name))
    const { before = null } = switched.safeParse(results.get(position)).data ?? {}
    const refused =
      name === undefined
        ? 'registrar_not_found'
        : before === null || before === set
          ? 'nothing_to_take_back'
          : name.autoRenew !== set
            ? 'changed_since'
            : null
    if (name === undefined || before === null || refused !== null)
      return { zone: { ...zone, id }, plan: { refused: refused ?? 'nothing_to_take_back' } }
    return {
      zone: { ...zone, id },
      plan: {
        before: { autoRenew: set },
        after: { autoRenew: before },
        dangers: [],
        ...onlyAt({ id: name.registrarId, name: name.registrarName, provider: name.provider, calls: callsForAutoRenew }),
        work: { switchedAt: position, enabled: before } satisfies z.infer<typeof autoRenewWork>,
      },
    }
  })
}

/** Runs the plan of `planAutoRenewAgain`. */
export async function undoAutoRenew(
  ctx: Ctx,
  item: RunItem,
  undoOf: string,
  { switchedAt, enabled }: z.infer<typeof autoRenewWork>,
  signal: AbortSignal,
): Promise<Outcome> {
  await setAutoRenew(ctx, { registrarId: item.accountId, name: item.name, enabled }, { priority: 'bulk', signal })
  await markUndoneAt(ctx.db, undoOf, switchedAt)
  return { state: 'done' }
}

/** The confirmed terms for one name. */
const renewalWork = z.object({ price: money, years: z.int(), premium: z.boolean(), expiresAt: z.coerce.date() })
export type RenewalWork = z.input<typeof renewalWork>

/** Renews names for the given years; each is paid once, for at most the confirmed price. */
export const renew: OperationKind<{ years: number }> = {
  input: z.object({ years: z.int() }),
  async run(ctx, item, _input, signal) {
    const { operationId, name, accountId: registrarId, plan } = item
    const outcome = await renewName(ctx, { operationId, name, registrarId, ...renewalWork.parse(plan.work) }, { priority: 'bulk', signal })
    return outcome === 'renewed' ? { state: 'done' } : { state: 'skipped', code: 'renewed_since' }
  },
}
