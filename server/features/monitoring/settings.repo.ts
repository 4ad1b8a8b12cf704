import { and, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { alertChannels, groups, monitorOverrides, monitorSettings } from '#server/db/schema/index.ts'
import type { MonitoringOverride } from '#shared/features/monitoring/settings.ts'
import { monitoringOverride } from '#shared/features/monitoring/settings.ts'

export type SettingsRow = typeof monitorSettings.$inferSelect
type NewSettingsRow = typeof monitorSettings.$inferInsert

/** Null: no settings were saved. */
export async function findSettingsRow(db: Queryable, ownerId: string): Promise<SettingsRow | null> {
  const [row] = await db.select().from(monitorSettings).where(eq(monitorSettings.ownerId, ownerId))
  return row ?? null
}

/** Serializes changes to an owner's settings, including the first. */
export async function lockOwner(tx: Transaction, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('monitoring:' || ${ownerId}, 0))`)
}

export async function saveSettingsRow(tx: Transaction, row: NewSettingsRow): Promise<void> {
  await tx
    .insert(monitorSettings)
    .values(row)
    .onConflictDoUpdate({ target: monitorSettings.ownerId, set: { ...row, updatedAt: sql`now()` } })
}

export async function findMainChat(db: Queryable, ownerId: string): Promise<string | null> {
  const [row] = await db
    .select({ chatId: alertChannels.chatId })
    .from(alertChannels)
    .where(and(eq(alertChannels.ownerId, ownerId), eq(alertChannels.main, true)))
  return row?.chatId ?? null
}

/** A new chat has no recorded refusal. */
export async function saveMainChat(tx: Transaction, ownerId: string, chatId: string): Promise<void> {
  const changed = await tx
    .update(alertChannels)
    .set({ chatId, failure: null, pausedUntil: null })
    .where(and(eq(alertChannels.ownerId, ownerId), eq(alertChannels.main, true)))
    .returning({ id: alertChannels.id })
  if (changed.length === 0) await tx.insert(alertChannels).values({ ownerId, kind: 'telegram', name: 'Telegram', main: true, chatId })
}

export async function deleteMainChat(tx: Transaction, ownerId: string): Promise<void> {
  await tx.delete(alertChannels).where(and(eq(alertChannels.ownerId, ownerId), eq(alertChannels.main, true)))
}

/** With a new token, every chat of the bot may accept messages again. */
export async function forgetRefusals(tx: Transaction, ownerId: string): Promise<void> {
  await tx
    .update(alertChannels)
    .set({ failure: null, pausedUntil: null })
    .where(and(eq(alertChannels.ownerId, ownerId), eq(alertChannels.kind, 'telegram')))
}

/** Overrides of an owner's groups. */
export async function listOverrideRows(db: Queryable, ownerId: string): Promise<{ groupId: string; override: MonitoringOverride }[]> {
  const rows = await db
    .select({ groupId: monitorOverrides.groupId, override: monitorOverrides.override })
    .from(monitorOverrides)
    .innerJoin(groups, eq(groups.id, monitorOverrides.groupId))
    .where(eq(groups.ownerId, ownerId))
    .orderBy(groups.name)
  return rows.map(({ groupId, override }) => ({ groupId, override: monitoringOverride.parse(override) }))
}

export async function findOverride(db: Queryable, groupId: string): Promise<MonitoringOverride | null> {
  const [row] = await db.select({ override: monitorOverrides.override }).from(monitorOverrides).where(eq(monitorOverrides.groupId, groupId))
  return row === undefined ? null : monitoringOverride.parse(row.override)
}

export async function saveOverride(tx: Transaction, groupId: string, override: MonitoringOverride | null): Promise<void> {
  if (override === null) {
    await tx.delete(monitorOverrides).where(eq(monitorOverrides.groupId, groupId))
    return
  }
  await tx
    .insert(monitorOverrides)
    .values({ groupId, override })
    .onConflictDoUpdate({ target: monitorOverrides.groupId, set: { override, updatedAt: sql`now()` } })
}

/** A group's owner and name, locked against deletion; null when it does not exist. */
export async function findGroup(tx: Transaction, id: string): Promise<{ readonly ownerId: string; readonly name: string } | null> {
  const [row] = await tx.select({ ownerId: groups.ownerId, name: groups.name }).from(groups).where(eq(groups.id, id)).for('key share')
  return row ?? null
}
