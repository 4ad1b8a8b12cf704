import { and, asc, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { alertChannels } from '#server/db/schema/index.ts'
import type { ChannelFailure } from '#shared/features/alerts/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'

export type ChannelRow = typeof alertChannels.$inferSelect
export interface ShownChannel {
  readonly channel: ChannelRow
  readonly waiting: number
}

const selectShown = (db: Queryable) =>
  db
    .select({
      channel: alertChannels,
      waiting: sql<number>`(select count(*)::int from outbox o where o.channel_id = alert_channels.id and o.state in ('pending', 'sending'))`,
    })
    .from(alertChannels)

/** The main channel first. */
export const listShown = (db: Queryable, ownerId: string): Promise<ShownChannel[]> =>
  selectShown(db)
    .where(eq(alertChannels.ownerId, ownerId))
    .orderBy(sql`${alertChannels.main} desc`, asc(alertChannels.id))

/** @throws AppError not_found */
export async function getShown(db: Queryable, id: string): Promise<ShownChannel> {
  const [row] = await selectShown(db).where(eq(alertChannels.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Locked until the transaction ends. @throws AppError not_found */
export async function lockRow(tx: Transaction, id: string): Promise<ChannelRow> {
  const [row] = await tx.select().from(alertChannels).where(eq(alertChannels.id, id)).for('update')
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Enabled channels. One that currently refuses messages is included, because messages are kept for it. */
export const listEnabledChannels = (db: Queryable, ownerId: string): Promise<ChannelRow[]> =>
  db
    .select()
    .from(alertChannels)
    .where(and(eq(alertChannels.ownerId, ownerId), eq(alertChannels.enabled, true)))
    .orderBy(asc(alertChannels.id))

export const insertRow = async (db: Queryable, row: typeof alertChannels.$inferInsert): Promise<void> => {
  await db.insert(alertChannels).values(row)
}

export const updateRow = async (db: Queryable, id: string, changes: Partial<ChannelRow>): Promise<void> => {
  await db.update(alertChannels).set(changes).where(eq(alertChannels.id, id))
}

export const deleteRow = async (db: Queryable, id: string): Promise<void> => {
  await db.delete(alertChannels).where(eq(alertChannels.id, id))
}

/** Addresses that are not encrypted yet. */
export async function listPlainAddresses(db: Queryable): Promise<{ id: string; url: string }[]> {
  const rows = await db
    .select({ id: alertChannels.id, url: alertChannels.url })
    .from(alertChannels)
    .where(sql`${alertChannels.url} like '%://%'`)
  return rows.flatMap(({ id, url }) => (url !== null && URL.canParse(url) ? [{ id, url }] : []))
}

/** Unless it has changed in the meantime. */
export const replaceAddress = async (
  db: Queryable,
  id: string,
  before: string,
  after: Pick<ChannelRow, 'url' | 'urlSealed'>,
): Promise<void> => {
  await db
    .update(alertChannels)
    .set(after)
    .where(and(eq(alertChannels.id, id), eq(alertChannels.url, before)))
}

/** Stores the result of a test. */
export const noteTest = (db: Queryable, id: string, failure: ChannelFailure | null): Promise<void> =>
  updateRow(db, id, failure === null ? { failure, pausedUntil: null } : { failure })

/** Stores a failure for all chats of an owner that do not have it yet. @returns whether there was one */
export async function noteFailureOfChats(tx: Transaction, ownerId: string, failure: ChannelFailure): Promise<boolean> {
  const rows = await tx
    .update(alertChannels)
    .set({ failure })
    .where(
      and(
        eq(alertChannels.ownerId, ownerId),
        eq(alertChannels.kind, 'telegram'),
        sql`${alertChannels.failure} ->> 'code' is distinct from ${failure.code}`,
      ),
    )
    .returning({ id: alertChannels.id })
  return rows.length > 0
}
