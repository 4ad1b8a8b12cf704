import { connectAccount } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import type { HostConnection } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import { findZoneThing, findZoneWithAccount } from './zone-access.repo.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findZoneWithAccount>>>
/** A zone that the actor may reach, as the mirror has it. */
export type OpenZone = Omit<Row, 'account'> & {
  readonly accountEmail: string
  /** Its account at the provider; nothing is sent until a method is called. */
  readonly connection: HostConnection
}

/**
 * The one door to a single zone: whose it is, and what the actor may do with it, is asked here. Whoever only reads says `view`.
 * @throws AppError not_found for an unknown zone and for somebody else's, level_too_low
 */
export async function openZone(ctx: Ctx, id: string, needed: Level = 'operate'): Promise<OpenZone> {
  const row = await findZoneWithAccount(ctx.db.orm, id)
  if (row === null) throw new AppError('not_found')
  await requireLevel(ctx, row, needed)
  const { account, ...zone } = row
  return { ...zone, accountEmail: account.email, connection: connectAccount(ctx, account) }
}

/**
 * As `openZone`, where only the answer counts.
 * @throws AppError not_found, level_too_low
 */
export async function requireZone(ctx: Ctx, id: string, needed: Level): Promise<void> {
  const row = await findZoneThing(ctx.db.orm, id)
  if (row === null) throw new AppError('not_found')
  await requireLevel(ctx, row, needed)
}
