import { updateFromRegistrar } from '#server/features/domains/mirror/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { RegistrarCall } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { connectRegistrar } from '../connect-registrar.ts'
import { updateAutoRenew } from '../names/held-names.repo.ts'
import type { HeldName, UnheldName } from '../names/held-names.ts'
import type { CalledRegistrar } from '../delegations/set-name-servers.ts'

type AutoRenewPlan =
  | { readonly refused: ErrorCode }
  | { readonly unchanged: true }
  | { readonly before: boolean | null; readonly registrar: CalledRegistrar }

/** REG.RU looks up the service id of a name first. */
export const callsForAutoRenew = 2

/** What switching automatic renewal would change, based on the registrars' lists as last read; nothing is sent. One plan per name, in their order. */
export async function planAutoRenew(ctx: Ctx, names: readonly (HeldName | UnheldName)[], enabled: boolean): Promise<AutoRenewPlan[]> {
  const ids = new Set(names.flatMap((name) => ('refused' in name ? [] : [name.registrarId])))
  const able = new Map(
    await Promise.all(
      [...ids].map(async (id) => {
        const { connection } = await connectRegistrar(ctx, id)
        return [id, connection.setAutoRenew !== null] as const
      }),
    ),
  )
  return names.map((name): AutoRenewPlan => {
    if ('refused' in name) return { refused: name.refused }
    const { registrarId: id, registrarName, provider, autoRenew } = name
    if (autoRenew === enabled) return { unchanged: true }
    if (able.get(id) !== true) return { refused: 'registrar_auto_renew_website' }
    return { before: autoRenew, registrar: { id, name: registrarName, provider, calls: callsForAutoRenew } }
  })
}

/**
 * Turns automatic renewal at the registrar on or off.
 * @returns the previous value; null: the registrar had not reported it
 * @throws AppError not_found, level_too_low, registrar_manual, registrar_auto_renew_website and any refusal by the registrar
 */
export async function setAutoRenew(
  ctx: Ctx,
  { registrarId, name, enabled }: { readonly registrarId: string; readonly name: string; readonly enabled: boolean },
  call: RegistrarCall,
): Promise<boolean | null> {
  const { registrar, connection } = await connectRegistrar(ctx, registrarId)
  if (connection.setAutoRenew === null) throw new AppError('registrar_auto_renew_website')
  await connection.setAutoRenew(name, enabled, call)
  return ctx.db.orm.transaction(async (tx) => {
    const before = (await updateAutoRenew(tx, { registrarId, name }, enabled)) ?? null
    await updateFromRegistrar(tx, registrarId, [name])
    if (before === enabled) return before
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'registrar',
      entityId: registrar.id,
      entityName: registrar.name,
      ownerId: registrar.ownerId,
      details: { name, autoRenew: { from: before, to: enabled } },
    })
    await ctx.events.publish(tx, registrar.ownerId, 'registrars')
    return before
  })
}
