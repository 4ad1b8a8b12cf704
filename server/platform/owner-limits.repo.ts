import { eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Transaction } from '#server/db/client.ts'
import {
  accounts,
  alertChannels,
  allowedChanges,
  apiTokens,
  contacts,
  groups,
  maintenanceWindows,
  profiles,
  registrars,
  shares,
} from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors/app-error.ts'

interface OwnerLimit {
  readonly table: PgTable
  readonly owner: PgColumn
  readonly max: number
}

/** How many of each kind a person may own: more than needed in practice, too few to fill the database or slow others down. */
export const ownerLimits = {
  accounts: { table: accounts, owner: accounts.ownerId, max: 10_000 },
  alertChannels: { table: alertChannels, owner: alertChannels.ownerId, max: 50 },
  allowedChanges: { table: allowedChanges, owner: allowedChanges.ownerId, max: 500 },
  apiTokens: { table: apiTokens, owner: apiTokens.userId, max: 200 },
  contacts: { table: contacts, owner: contacts.ownerId, max: 500 },
  groups: { table: groups, owner: groups.ownerId, max: 2_000 },
  maintenanceWindows: { table: maintenanceWindows, owner: maintenanceWindows.ownerId, max: 1_000 },
  profiles: { table: profiles, owner: profiles.ownerId, max: 500 },
  registrars: { table: registrars, owner: registrars.ownerId, max: 500 },
  shares: { table: shares, owner: shares.ownerId, max: 5_000 },
} as const satisfies Record<string, OwnerLimit>
export type OwnerLimitKind = keyof typeof ownerLimits

/** The current number; concurrent additions wait until the transaction ends. */
async function countOwned(tx: Transaction, kind: OwnerLimitKind, ownerId: string): Promise<number> {
  const { table, owner } = ownerLimits[kind]
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} of ${ownerId}`}, 0))`)
  return tx.$count(table, eq(owner, ownerId))
}

/**
 * Ensures that a person may add `more` of a kind, in the transaction that adds them: of two concurrent ones the second sees what the first
 * has added.
 * @throws AppError limit_reached, too_many_channels
 */
export async function requireRoom(tx: Transaction, kind: OwnerLimitKind, ownerId: string, more = 1): Promise<void> {
  const { max } = ownerLimits[kind]
  if (more === 0 || (await countOwned(tx, kind, ownerId)) + more <= max) return
  throw new AppError(kind === 'alertChannels' ? 'too_many_channels' : 'limit_reached', { params: { max } })
}
