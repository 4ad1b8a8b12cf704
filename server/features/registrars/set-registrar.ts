import { getChangedDomain, serializeZoneChanges, openZone, recordZoneChange } from '#server/features/domains/index.ts'
import { updateZoneRegistrar } from '#server/features/domains/mirror/index.ts'
import type { ZoneChangeOptions } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel, grantsOf, requireLevel, requireLevelOfSeen } from '#server/platform/access-scope.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { Domain } from '#shared/features/domains/schema.ts'
import { findHolder } from './names/registrar-names.repo.ts'
import { listNamed } from './zone-registrars.repo.ts'
import { toAccessTarget } from './registrar-view.ts'

interface Attachment {
  readonly id: string
  readonly registrarId: string | null
}

/**
 * A domain can only be attached to registrars of its own owner, including shared ones for other users.
 * @throws AppError not_found, level_too_low; registrar_other_owner for those who see another user's registrar
 */
async function requireUsable(ctx: Ctx, id: string, registrar: { readonly ownerId: string }, ownerId: string): Promise<void> {
  const accessTarget = toAccessTarget({ id, ownerId: registrar.ownerId })
  if (registrar.ownerId === ownerId) return requireLevel(ctx, accessTarget, 'operate')
  throw new AppError((await findLevel(ctx, accessTarget)) === null ? 'not_found' : 'registrar_other_owner')
}

/** Whether the actor may work with a registrar of this owner to which another user's domain is attached. */
export async function mayUseRegistrar(ctx: Ctx, of: { readonly ownerId: string; readonly registrarId: string | null }): Promise<boolean> {
  const level = await findLevel(ctx, of)
  return level !== null && isAtLeast(level, 'operate')
}

/**
 * A registrar that a domain of this owner may be attached to.
 * @throws AppError not_found, level_too_low, registrar_other_owner
 */
export async function getAttachable(ctx: Ctx, id: string, ownerId: string) {
  const found = (await listNamed(ctx.db.orm, [id])).get(id)
  if (found === undefined) throw new AppError('not_found')
  await requireUsable(ctx, id, found, ownerId)
  return { id, ...found }
}

/** This owner's registrar whose list has the name, if the actor may work with it; null: none. */
export async function findUsableHolder(ctx: Ctx, ownerId: string, name: string): Promise<string | null> {
  const registrarId = await findHolder(ctx.db.orm, ownerId, name)
  return registrarId !== null && (await mayUseRegistrar(ctx, { ownerId, registrarId })) ? registrarId : null
}

/**
 * As `setRegistrar`, without returning the domain.
 * @throws AppError not_found, level_too_low
 */
export async function attachToRegistrar(ctx: Ctx, { id, registrarId }: Attachment, history?: ZoneChangeOptions): Promise<void> {
  const zone = await openZone(ctx, id, 'operate')
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  await serializeZoneChanges(zone.id, () =>
    ctx.db.orm.transaction(async (tx) => {
      await requireClaim()
      const targets = await listNamed(tx, registrarId === null ? [] : [registrarId])
      const target = registrarId === null ? null : targets.get(registrarId)
      if (target === undefined) throw new AppError('not_found')
      if (target !== null && registrarId !== null) await requireUsable(ctx, registrarId, target, zone.ownerId)
      const before = await updateZoneRegistrar(tx, id, registrarId)
      if (before === undefined) throw new AppError('not_found')
      if (before === registrarId) return
      // Detaching another user's domain also requires access to its current registrar.
      if (before !== null) await requireLevelOfSeen(ctx, { ownerId: zone.ownerId, registrarId: before }, 'operate')
      const names = before === null ? targets : new Map([...targets, ...(await listNamed(tx, [before]))])
      const shown = (one: string | null) => (one === null ? null : { id: one, name: names.get(one)?.name ?? null })
      await recordZoneChange(ctx, tx, zone, { key: 'registrar', before: shown(before), after: shown(registrarId) }, history)
      await ctx.events.publish(tx, zone.ownerId, 'registrars')
    }),
  )
}

/**
 * Sets where the name was bought; null: not recorded. Nothing is sent to a registrar (R-DOM-10).
 * @throws AppError not_found, level_too_low, registrar_other_owner
 */
export async function setRegistrar(ctx: Ctx, given: Attachment, history?: ZoneChangeOptions): Promise<{ zone: Domain }> {
  await attachToRegistrar(ctx, given, history)
  return getChangedDomain(ctx, given.id)
}
