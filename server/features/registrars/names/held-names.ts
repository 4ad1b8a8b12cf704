import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import { listHeldById, listHeldByName, listHeldByZone } from './held-names.repo.ts'
import type { HeldNameRow } from './held-names.repo.ts'
import { toAccessTarget } from '../registrar-view.ts'

/** A name in the list of one of the actor's API registrars. */
export interface HeldName {
  /** Punycode. */
  readonly name: string
  /** The domain in the panel with this name; null: none. */
  readonly domainId: string | null
  readonly registrarId: string
  readonly registrarName: string
  readonly provider: RegistrarProvider
  /** As the registrar reports it. */
  readonly expiresAt: Date | null
  readonly autoRenew: boolean | null
  /** Price of one year for an ordinary name, from the registrar's price list. */
  readonly renewal: { readonly minor: number; readonly currency: string } | null
}
/** A name that cannot be processed at a registrar, and why. */
export interface UnheldName {
  readonly name: string
  readonly domainId: string | null
  readonly refused: ErrorCode
}

function toHeld(row: HeldNameRow): HeldName | UnheldName {
  const { name, domainId, registrarId, registrarName, provider } = row
  if (registrarId === null || registrarName === null) return { name, domainId, refused: 'registrar_none' }
  if (row.type === 'MANUAL' || provider === null || provider === 'OTHER') return { name, domainId, refused: 'registrar_manual' }
  if (!row.listed) return { name, domainId, refused: 'registrar_not_found' }
  const { renewalMinor: minor, renewalCurrency: currency } = row
  return {
    name,
    domainId,
    registrarId,
    registrarName,
    provider,
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
    autoRenew: row.autoRenew,
    renewal: minor === null || currency === null ? null : { minor, currency },
  }
}

/**
 * Names at registrars, selected by id, by registrar and name, or as the names of visible domains. Names at another owner's registrar are returned as
 * skipped, because it is the owner's money. Names of registrars that the actor cannot see are left out.
 */
export async function listHeldNames(
  ctx: Ctx,
  of:
    | { readonly nameIds: readonly string[] }
    | { readonly domainIds: readonly string[] }
    | { readonly names: readonly { readonly registrarId: string; readonly name: string }[] },
): Promise<(HeldName | UnheldName)[]> {
  const { orm } = ctx.db
  const rows = await ('nameIds' in of
    ? listHeldById(orm, of.nameIds)
    : 'names' in of
      ? listHeldByName(orm, of.names)
      : listHeldByZone(orm, of.domainIds))
  const owners = new Map(
    rows.flatMap(({ registrarId: id, registrarOwnerId: ownerId }) => (id === null || ownerId === null ? [] : [[id, ownerId] as const])),
  )
  const levels = new Map(
    await Promise.all([...owners].map(async ([id, ownerId]) => [id, await findLevel(ctx, toAccessTarget({ id, ownerId }))] as const)),
  )
  return rows.flatMap((row) => {
    const level = row.registrarId === null ? 'own' : levels.get(row.registrarId)
    if (level === 'own') return [toHeld(row)]
    return level == null && row.domainId === null ? [] : [{ name: row.name, domainId: row.domainId, refused: 'level_too_low' as const }]
  })
}
