import { requireZone } from '#server/features/zone-access/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { DomainRegistrar } from '#shared/features/registrars/schema.ts'
import { toRegistrarName } from './list-names.ts'
import { findNameOf } from './registrar-names.repo.ts'
import { toRegistrar } from './registrar-view.ts'
import { getShown } from './registrars.repo.ts'
import { listAttachedZones } from './zone-registrars.repo.ts'

/**
 * The registrar that a domain is attached to, and what its list says of the name. Registrars are shared with nobody.
 * @throws AppError not_found, level_too_low
 */
export async function getOfDomain(ctx: Ctx, { id }: { readonly id: string }): Promise<DomainRegistrar> {
  await requireZone(ctx, id, 'own')
  const [attached] = await listAttachedZones(ctx.db.orm, [id])
  if (attached === undefined || attached.registrarId === null) return { registrar: null, name: null }
  const name = await findNameOf(ctx.db.orm, id)
  return { registrar: toRegistrar(await getShown(ctx.db.orm, attached.registrarId)), name: name === null ? null : toRegistrarName(name) }
}
