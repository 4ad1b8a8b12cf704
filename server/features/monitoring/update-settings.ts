import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '#server/db/client.ts'
import { botTokenContext, chooseOwner } from '#server/features/alerts/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { inOrder } from '#shared/features/monitoring/settings.ts'
import type { MonitoringChanges, MonitoringSettings } from '#shared/features/monitoring/settings.ts'
import { readSettings, toSettings } from './get-settings.ts'
import { wakeMonitoring } from './checks/schedule.repo.ts'
import { deleteMainChat, findMainChat, findSettingsRow, forgetRefusals, lockOwner, saveMainChat, saveSettingsRow } from './settings.repo.ts'
import type { SettingsRow } from './settings.repo.ts'
import { releaseHeld } from './incidents/notified-incidents.repo.ts'

const refuse = (path: string, message: string) => new AppError('validation_failed', { issues: [{ path, message }] })

/** The name of a token's bot. @throws AppError validation_failed when Telegram does not know the token, or is unreachable */
async function proveToken({ messenger }: Ctx, token: string): Promise<string> {
  const answer = await messenger.whoAmI(token)
  if ('name' in answer) return answer.name
  throw refuse('telegram.botToken', answer.refused === 'unauthorized' ? 'telegram_token_refused' : 'telegram_unreached')
}

interface Telegram {
  readonly chatId: string
  /** Omitted: the stored token is kept, if any. */
  readonly encrypted?: { readonly token: string; readonly name: string } | null
}

/**
 * Interprets Telegram's two fields (R-MON-02): both empty delete the settings; an empty token with a chat keeps the stored token.
 * @throws AppError validation_failed for a bot without a chat, or a chat without a bot
 */
function readTelegram(
  encryptToken: (token: string) => string,
  given: NonNullable<MonitoringChanges['telegram']>,
  now: { readonly row: SettingsRow | null; readonly chatId: string | null },
  bot: string | null,
): Telegram {
  const chatId = given.chatId ?? now.chatId ?? ''
  const token = given.botToken ?? ''
  if (chatId === '' && token === '') return { chatId, encrypted: null }
  if (chatId === '') throw refuse('telegram.chatId', 'required')
  if (token !== '' && bot !== null) {
    return { chatId, encrypted: { token: encryptToken(token), name: bot } }
  }
  if ((now.row?.botTokenSealed ?? null) === null) throw refuse('telegram.botToken', 'required')
  return { chatId }
}

async function saveTelegram(tx: Transaction, ownerId: string, { chatId, encrypted }: Telegram): Promise<void> {
  if (encrypted === null) return deleteMainChat(tx, ownerId)
  await saveMainChat(tx, ownerId, chatId)
  if (encrypted !== undefined) await forgetRefusals(tx, ownerId)
}

const publishing = ['notifications', 'quietHours', 'language'] as const
const plain = ['enabled', 'regions', 'checkInterval', 'notifications', 'options', 'quietHours', 'secondOpinion', 'language'] as const

/**
 * Updates the actor's settings, or for an administrator those of any owner; omitted values are unchanged. A token is verified with Telegram before it
 * is stored.
 * @throws AppError validation_failed; not_found for another user; session_only when an API token sets a chat or a bot
 */
export async function updateMonitoringSettings(
  ctx: Ctx,
  { ownerId: selected, ...changes }: MonitoringChanges,
): Promise<{ settings: MonitoringSettings }> {
  const ownerId = await chooseOwner(ctx, selected)
  // A chat set by an API token would outlive that token.
  if (changes.telegram !== undefined && ctx.actor.via !== undefined) throw new AppError('session_only')
  const token = changes.telegram?.botToken ?? ''
  const bot = token === '' ? null : await proveToken(ctx, token)
  const encryptToken = (plain: string) => ctx.secrets.encrypt(plain, botTokenContext(ownerId))
  return ctx.db.orm.transaction(async (tx) => {
    await lockOwner(tx, ownerId)
    const row = await findSettingsRow(tx, ownerId)
    const chatId = await findMainChat(tx, ownerId)
    const before = toSettings(row, chatId)
    const after: MonitoringSettings = {
      ...before,
      ...(changes.enabled === undefined ? {} : { enabled: changes.enabled }),
      ...(changes.regions === undefined ? {} : { regions: inOrder(changes.regions) }),
      ...(changes.checkInterval === undefined ? {} : { checkInterval: changes.checkInterval }),
      ...(changes.secondOpinion === undefined ? {} : { secondOpinion: changes.secondOpinion }),
      ...(changes.language === undefined ? {} : { language: changes.language }),
      ...(changes.quietHours === undefined ? {} : { quietHours: changes.quietHours }),
      notifications: { ...before.notifications, ...given(changes.notifications) },
      options: { ...before.options, ...given(changes.options) },
    }
    const telegram = changes.telegram === undefined ? null : readTelegram(encryptToken, changes.telegram, { row, chatId }, bot)
    await saveSettingsRow(tx, {
      ownerId,
      enabled: after.enabled,
      regions: after.regions,
      intervalMinutes: after.checkInterval,
      options: after.options,
      notices: after.notifications,
      quietHours: after.quietHours,
      secondOpinion: after.secondOpinion,
      language: after.language,
      ...(telegram?.encrypted === undefined
        ? {}
        : { botTokenSealed: telegram.encrypted?.token ?? null, botName: telegram.encrypted?.name ?? null }),
    })
    if (telegram !== null) await saveTelegram(tx, ownerId, telegram)
    const details = Object.fromEntries<unknown>([
      ...plain.flatMap((key) =>
        isDeepStrictEqual(before[key], after[key]) ? [] : [[key, { from: before[key], to: after[key] }] as const],
      ),
      ...(telegram === null || telegram.chatId === before.telegram.chatId
        ? []
        : [['chatId', { from: before.telegram.chatId, to: telegram.chatId }] as const]),
      ...(telegram?.encrypted === undefined || (telegram.encrypted === null && !before.telegram.configured)
        ? []
        : [['botToken', telegram.encrypted === null ? 'removed' : 'changed'] as const]),
    ])
    if (Object.keys(details).length > 0) {
      await audit(tx, ctx, { action: 'update', entityType: 'settings', entityId: ownerId, entityName: 'monitoring', ownerId, details })
      if (publishing.some((key) => key in details)) await releaseHeld(tx, ownerId, ctx.clock.now())
      await wakeMonitoring(tx, 'settings')
      await ctx.events.publish(tx, ownerId, 'monitoring')
    }
    return readSettings(tx, ownerId)
  })
}

/** Without undefined values. */
const given = <T extends object>(some: T | undefined) =>
  Object.fromEntries(Object.entries(some ?? {}).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> }
