import { connectAccount } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { HostConnection } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { findZoneWithAccount } from './zone-access.repo.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findZoneWithAccount>>>
/** A zone that the actor may change, as the mirror has it. */
export type OpenZone = Omit<Row, 'account'> & {
  readonly accountEmail: string
  /** Its account at the provider; nothing is sent until a method is called. */
  readonly connection: HostConnection
}

/**
 * The one door to a single zone: whose it is, is asked here.
 * @throws AppError not_found for an unknown zone and for somebody else's
 */
export async function openZone(ctx: Ctx, id: string): Promise<OpenZone> {
  const row = await findZoneWithAccount(ctx.db.orm, id, ctx.actor.role === 'admin' ? null : ctx.actor.userId)
  if (row === null) throw new AppError('not_found')
  const { account, ...zone } = row
  return { ...zone, accountEmail: account.email, connection: connectAccount(ctx, account) }
}
