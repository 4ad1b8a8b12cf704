import { requireZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevelOfSeen } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DomainRegistrar } from '#shared/features/registrars/schema.ts'
import { toRegistrarName } from './names/list-names.ts'
import { findNameOf } from './names/registrar-names.repo.ts'
import { toRegistrar } from './registrar-view.ts'
import { getShown } from './registrars.repo.ts'
import { listAttachedZones } from './zone-registrars.repo.ts'

/**
 * The registrar that a domain is attached to, with the name as its list has it. Another owner's domain requires a share of both.
 * @throws AppError not_found, level_too_low
 */
export async function getOfDomain(ctx: Ctx, { id }: { readonly id: string }): Promise<DomainRegistrar> {
  await requireZone(ctx, id, 'view')
  const [attached] = await listAttachedZones(ctx.db.orm, [id])
  if (attached === undefined) throw new AppError('not_found')
  const { ownerId, registrarId } = attached
  await requireLevelOfSeen(ctx, { ownerId, registrarId }, 'view')
  if (registrarId === null) return { registrar: null, name: null }
  const name = await findNameOf(ctx.db.orm, id)
  return {
    registrar: await toRegistrar(ctx, await getShown(ctx.db.orm, registrarId)),
    name: name === null ? null : toRegistrarName(name),
  }
}
