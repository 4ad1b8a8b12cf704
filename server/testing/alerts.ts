import { randomUUID } from 'node:crypto'
import { startAlerts } from '#server/features/alerts/index.ts'
import type { AlertOptions } from '#server/features/alerts/index.ts'
import { botTokenContext } from '#server/features/alerts/index.ts'
import { alertChannels, incidents, monitorSettings } from '#server/db/schema/index.ts'
import { createOutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import { createTelegram } from '#server/integrations/telegram/adapter.ts'
import { createWebhookSender } from '#server/integrations/webhook/adapter.ts'
import { createLog } from '#server/platform/log.ts'
import type { Log } from '#server/platform/log.ts'
import type { Services } from '#server/platform/context.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import type { TelegramSimulator, TelegramSimulatorOptions } from '#server/simulators/telegram/simulator.ts'
import type { TelegramBot, TelegramChat } from '#server/simulators/telegram/state.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import type { Notices, QuietHours, Reason } from '#shared/features/monitoring/schema.ts'

export const chatNumber = -1_001_234_567_890
/** As fast as possible, so that tests wait only for what they test. */
export const promptly: Partial<AlertOptions> = {
  groupDelayMs: 0,
  groupChecksMs: 0,
  groupEndsDelayMs: 0,
  groupMoreDelayMs: 0,
  notifyEveryMs: 20,
  pollMs: 20,
}

export interface TestAlerts extends TestServices {
  readonly telegram: TelegramSimulator
  readonly bot: TelegramBot
  readonly chat: TelegramChat
  readonly owner: SignedIn
  /** The id of the chat. */
  readonly channelId: string
  start(options?: Partial<AlertOptions>): Promise<void>
  close(): Promise<void>
}

/** The owner's settings, with the token of a bot known to the simulator. */
export async function insertSettings(
  services: Pick<Services, 'db' | 'secrets'>,
  ownerId: string,
  given: {
    readonly token?: string
    readonly language?: 'ru' | 'en'
    readonly notices?: Partial<Notices>
    readonly quietHours?: QuietHours
  } = {},
): Promise<void> {
  await services.db.orm.insert(monitorSettings).values({
    ownerId,
    enabled: true,
    options: defaultCheckOptions,
    notices: { statusChange: true, dnsMismatch: true, sslIssues: true, traffic: true, recovery: true, ...given.notices },
    quietHours: given.quietHours ?? null,
    language: given.language ?? 'en',
    botTokenSealed: given.token === undefined ? null : services.secrets.encrypt(given.token, botTokenContext(ownerId)),
  })
}

export async function insertChannel(
  { db }: Pick<Services, 'db'>,
  given: Partial<typeof alertChannels.$inferInsert> & { readonly ownerId: string },
): Promise<string> {
  const id = given.id ?? randomUUID()
  // Created before any incident, so that it receives all of them.
  const createdAt = new Date(Date.now() - 30 * 86_400_000)
  await db.orm.insert(alertChannels).values({ kind: 'telegram', name: 'chat', chatId: String(chatNumber), createdAt, ...given, id })
  return id
}

export const httpStatus = (status: number): Reason => ({ code: 'http_status', params: { status }, regions: ['EUROPE'] })

/** As written by the monitoring engine. */
export async function insertIncidents(
  { db }: Pick<Services, 'db'>,
  ownerId: string,
  given: readonly (Partial<typeof incidents.$inferInsert> & { readonly name: string })[],
): Promise<(typeof incidents.$inferSelect)[]> {
  return db.orm
    .insert(incidents)
    .values(
      given.map((incident) => ({
        ownerId,
        domainId: randomUUID(),
        health: 'critical' as const,
        reasons: [httpStatus(503)],
        cause: `code:http_status`,
        openedAt: new Date(Date.now() - 120_000),
        ...incident,
      })),
    )
    .returning()
}

/** A panel with one person, whose alerts go to one chat of a simulated Telegram. */
export async function createTestAlerts(
  given: {
    readonly telegram?: TelegramSimulatorOptions
    readonly settings?: Parameters<typeof insertSettings>[2]
    readonly log?: Log
    readonly outboundAllow?: readonly string[]
    /** The panel's clock; Telegram's limits use it too if it is passed there. */
    readonly clock?: Clock
    /** Absent: the panel's default. */
    readonly sendTimeoutMs?: number
  } = {},
): Promise<TestAlerts> {
  const telegram = await startTelegramSimulator(given.telegram)
  const bot = telegram.state.addBot('watch_bot')
  const chat = telegram.state.addChat(chatNumber, 'supergroup')
  const test = await createTestServices({
    log: given.log ?? createLog('silent'),
    ...(given.clock && { clock: given.clock }),
    messenger: createTelegram({
      baseUrl: telegram.url,
      userAgent: 'test',
      ...(given.sendTimeoutMs !== undefined && { sendTimeoutMs: given.sendTimeoutMs }),
    }),
    webhooks: createWebhookSender({ userAgent: 'test', guard: createOutboundGuard(given.outboundAllow ?? []) }),
  })
  const owner = await signIn(test.services)
  await insertSettings(test.services, owner.user.id, { token: bot.token, ...given.settings })
  const channelId = await insertChannel(test.services, { ownerId: owner.user.id })
  const running: { stop(): Promise<void> }[] = []
  return {
    ...test,
    telegram,
    bot,
    chat,
    owner,
    channelId,
    async start(options = {}) {
      running.push(await startAlerts(test.services, { ...promptly, ...options }))
    },
    async close() {
      await Promise.all(running.map((alerts) => alerts.stop()))
      await test.close()
      await telegram.close()
    },
  }
}
