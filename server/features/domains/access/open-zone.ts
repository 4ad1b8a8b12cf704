import type { Database } from '#server/db/client.ts'
import { connectAccount } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createBatchLoader } from '#server/platform/batch-loader.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { HostConnection } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import { findZoneTarget, listZonesWithAccounts } from './zone-access.repo.ts'

type Row = Awaited<ReturnType<typeof listZonesWithAccounts>>[number]
/** A zone that the actor has access to, from the mirror. */
export type OpenZone = Omit<Row, 'account'> & {
  readonly accountEmail: string
  /** Its account at the provider; no call is made until a method is called. */
  readonly connection: HostConnection
}

/** An operation opens many zones at the same time. */
const createLookup = (db: Database) =>
  createBatchLoader<string, Row | null>(200, async (ids) => {
    const rows = new Map((await listZonesWithAccounts(db.orm, ids)).map((row) => [row.id, row]))
    return ids.map((id) => rows.get(id) ?? null)
  })
const lookups = new WeakMap<Database, ReturnType<typeof createLookup>>()
function findZone(db: Database, id: string): Promise<Row | null> {
  const lookup = lookups.get(db) ?? createLookup(db)
  lookups.set(db, lookup)
  return lookup(id)
}

/**
 * The only entry point to a zone: checks its owner and the actor's access level. Use `view` for reading.
 * @throws AppError not_found for an unknown zone or one without access, level_too_low
 */
export async function openZone(ctx: Ctx, id: string, needed: Level = 'operate'): Promise<OpenZone> {
  const row = await findZone(ctx.db, id)
  if (row === null) throw new AppError('not_found')
  await requireLevel(ctx, row, needed)
  const { account, ...zone } = row
  return { ...zone, accountEmail: account.email, connection: connectAccount(ctx, account) }
}

/**
 * Like `openZone`, for callers that only need the check.
 * @throws AppError not_found, level_too_low
 */
export async function requireZone(ctx: Ctx, id: string, needed: Level): Promise<{ readonly ownerId: string; readonly accountId: string }> {
  const row = await findZoneTarget(ctx.db.orm, id)
  if (row === null) throw new AppError('not_found')
  await requireLevel(ctx, row, needed)
  return row
}
