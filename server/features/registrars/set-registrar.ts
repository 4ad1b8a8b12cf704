import { getChangedDomain } from '#server/features/domains/index.ts'
import { inTurn, openZone } from '#server/features/zone-access/index.ts'
import { recordZoneChange } from '#server/features/zone-settings/index.ts'
import type { ZoneChangeOptions } from '#server/features/zone-settings/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel, requireLevel } from '#server/platform/reach.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Domain } from '#shared/features/domains/schema.ts'
import { listNamed, updateZoneRegistrar } from './zone-registrars.repo.ts'
import { tellRegistrars } from './tell-registrars.ts'

interface Attachment {
  readonly id: string
  readonly registrarId: string | null
}

/** @throws AppError registrar_other_owner for an administrator, who sees both people's; not_found for all others */
async function requireOwner(ctx: Ctx, registrar: { readonly ownerId: string }, ownerId: string): Promise<void> {
  if (registrar.ownerId === ownerId) return
  throw new AppError((await findLevel(ctx, registrar)) === 'own' ? 'registrar_other_owner' : 'not_found')
}

/**
 * One that a domain of this owner may be attached to.
 * @throws AppError not_found, level_too_low, registrar_other_owner
 */
export async function getAttachable(ctx: Ctx, id: string, ownerId: string) {
  const found = (await listNamed(ctx.db.orm, [id])).get(id)
  if (found === undefined) throw new AppError('not_found')
  await requireOwner(ctx, found, ownerId)
  // Registrars are shared with nobody.
  await requireLevel(ctx, { ownerId }, 'own')
  return { id, ...found }
}

/**
 * As `setRegistrar`, where nobody wants to see the domain.
 * @throws AppError not_found, level_too_low
 */
export async function attachToRegistrar(ctx: Ctx, { id, registrarId }: Attachment, history?: ZoneChangeOptions): Promise<void> {
  // Registrars are shared with nobody, so whose the domain is decides alone.
  const zone = await openZone(ctx, id, 'own')
  await inTurn(zone.id, () =>
    ctx.db.orm.transaction(async (tx) => {
      const targets = await listNamed(tx, registrarId === null ? [] : [registrarId])
      const target = registrarId === null ? null : targets.get(registrarId)
      if (target === undefined) throw new AppError('not_found')
      if (target !== null) await requireOwner(ctx, target, zone.ownerId)
      const before = await updateZoneRegistrar(tx, id, registrarId)
      if (before === undefined) throw new AppError('not_found')
      if (before === registrarId) return
      const names = before === null ? targets : new Map([...targets, ...(await listNamed(tx, [before]))])
      const shown = (one: string | null) => (one === null ? null : { id: one, name: names.get(one)?.name ?? null })
      await recordZoneChange(ctx, tx, zone, { key: 'registrar', before: shown(before), after: shown(registrarId) }, history)
      await tellRegistrars(ctx, tx, zone.ownerId)
    }),
  )
}

/**
 * Where the name was bought; null: nowhere that is kept here. Nothing is sent (R-DOM-10).
 * @throws AppError not_found, level_too_low, registrar_other_owner
 */
export async function setRegistrar(ctx: Ctx, given: Attachment, history?: ZoneChangeOptions): Promise<{ zone: Domain }> {
  await attachToRegistrar(ctx, given, history)
  return getChangedDomain(ctx, given.id)
}
