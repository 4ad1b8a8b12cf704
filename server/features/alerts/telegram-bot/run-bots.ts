import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { AdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import type { BotUpdate } from '#server/ports/messenger.ts'
import { botTokenContext, noteLostToken, decryptOrNull } from '../channels/channel-secrets.ts'
import { listBotOwners } from './bot.repo.ts'

/** A bot, and the owners whose chats it serves. */
export interface Bot {
  readonly token: string
  readonly ownerIds: readonly string[]
}
type AnswerUpdate = (services: Services, bot: Bot, update: BotUpdate) => Promise<void>

interface BotOptions {
  readonly lookEveryMs: number
  readonly pollSeconds: number
  /** Pause after Telegram refused or was unreachable. */
  readonly restMs: number
}
const defaults: BotOptions = { lookEveryMs: 15_000, pollSeconds: 25, restMs: 10_000 }

/** Receives messages to the bots; each bot is polled by one process, and another one takes over when it dies. */
export function startBots(services: Services, answer: AnswerUpdate, given: Partial<BotOptions> = {}): () => Promise<void> {
  const { db, clock, log, secrets, messenger } = services
  const options = { ...defaults, ...given }
  let locks: AdvisoryLocks | null = null
  const heard = new Map<string, { readonly ending: AbortController; readonly run: Promise<void>; bot: Bot }>()

  async function hear(key: string, ending: AbortSignal): Promise<void> {
    let after: number | null = null
    while (!ending.aborted) {
      const bot = heard.get(key)?.bot
      if (bot === undefined) return
      try {
        for (const update of await messenger.poll(bot.token, after, options.pollSeconds, ending)) {
          after = update.updateId
          await answer(services, bot, update).catch((error: unknown) => log.warn({ err: error }, 'failed to answer a message to the bot'))
        }
      } catch (error) {
        if (ending.aborted) return
        log.debug({ err: error }, 'failed to poll the bot')
        await clock.sleep(options.restMs, ending).catch(() => undefined)
      }
    }
  }

  async function look(): Promise<void> {
    if (locks === null || locks.lost.aborted) {
      for (const { ending } of heard.values()) ending.abort()
      await Promise.all([...heard.values()].map(({ run }) => run))
      heard.clear()
      void locks?.close().catch(() => undefined)
      locks = openAdvisoryLocks(db)
    }
    const bots = new Map<string, Bot>()
    for (const { ownerId, botTokenSealed: encrypted } of await listBotOwners(db.orm)) {
      const token = decryptOrNull(secrets, encrypted, botTokenContext(ownerId))
      if (token === null) {
        if (await noteLostToken(services, ownerId)) log.warn({ ownerId }, 'a bot token cannot be decrypted; the bot is not polled')
        continue
      }
      const key = `bot ${secrets.fingerprint(token)}`
      bots.set(key, { token, ownerIds: [...(bots.get(key)?.ownerIds ?? []), ownerId] })
    }
    for (const [key, { ending, run }] of heard) {
      const bot = bots.get(key)
      const known = heard.get(key)
      if (bot !== undefined && known !== undefined) {
        known.bot = bot
        continue
      }
      ending.abort()
      await run
      heard.delete(key)
      await locks.unlock(key)
    }
    const free = [...bots.keys()].filter((key) => !heard.has(key))
    for (const key of await locks.tryLock(free, free.length)) {
      const bot = bots.get(key)
      if (bot === undefined) continue
      const ending = new AbortController()
      const begun = Promise.withResolvers<void>()
      heard.set(key, { ending, bot, run: begun.promise.then(() => hear(key, ending.signal)) })
      begun.resolve()
    }
  }

  const loop = runLoop(services, { name: 'bots', everyMs: options.lookEveryMs }, look)
  return async () => {
    await loop.stop()
    for (const { ending } of heard.values()) ending.abort()
    await Promise.all([...heard.values()].map(({ run }) => run))
    await locks?.close().catch(() => undefined)
  }
}
