import type { Queryable } from '#server/db/client.ts'
import { chooseOwner } from '#server/features/alerts/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { defaultRegions } from '#shared/features/monitoring/regions.ts'
import { allNotices, notices, quietHours } from '#shared/features/monitoring/schema.ts'
import type { MonitoringSettings, OfOwner } from '#shared/features/monitoring/settings.ts'
import { resolveOptions } from './resolve-options.policy.ts'
import { findMainChat, findSettingsRow } from './settings.repo.ts'
import type { SettingsRow } from './settings.repo.ts'

/** The stored settings, or the defaults (R-MON-01). */
export function toSettings(row: SettingsRow | null, chatId: string | null): MonitoringSettings {
  return {
    enabled: row?.enabled ?? false,
    regions: row?.regions ?? [...defaultRegions],
    checkInterval: row?.intervalMinutes ?? 5,
    telegram: {
      chatId: chatId ?? '',
      configured: (row?.botTokenSealed ?? null) !== null,
      botName: row?.botName ?? null,
    },
    notifications: row === null ? allNotices : notices.parse(Object.assign({}, allNotices, row.notices)),
    options: resolveOptions(row?.options, null),
    quietHours: row?.quietHours == null ? null : quietHours.parse(row.quietHours),
    secondOpinion: row?.secondOpinion ?? false,
    language: row?.language === 'en' ? 'en' : 'ru',
  }
}

/** The settings of one owner. */
export async function readSettings(db: Queryable, ownerId: string): Promise<{ settings: MonitoringSettings }> {
  // Sequential, because a transaction has only one connection.
  const row = await findSettingsRow(db, ownerId)
  return { settings: toSettings(row, await findMainChat(db, ownerId)) }
}

/** The actor's settings, or for an administrator those of any owner. @throws AppError not_found for another user */
export async function getMonitoringSettings(ctx: Ctx, { ownerId }: OfOwner = {}): Promise<{ settings: MonitoringSettings }> {
  return readSettings(ctx.db.orm, await chooseOwner(ctx, ownerId))
}
