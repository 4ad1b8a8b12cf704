import {
  acknowledgeMessage,
  checkMessage,
  enterChat,
  enterMessage,
  muteMessage,
  readButton,
  textsIn,
  writeForChat,
} from '#server/features/alerts/index.ts'
import type { Bot } from '#server/features/alerts/index.ts'
import type { Services } from '#server/platform/context.ts'
import { isErrorCode } from '#shared/errors/codes.ts'
import { commands } from './commands.ts'

type Update = Awaited<ReturnType<Services['messenger']['poll']>>[number]
type Press = Extract<Update, { kind: 'button' }>

const muteMinutes = 120

/** Answers a message or a button press; ignores chats that are not configured. */
export async function answerUpdate(services: Services, bot: Bot, update: Update): Promise<void> {
  switch (update.kind) {
    case 'other':
      return
    case 'button':
      return answerPress(services, bot, update)
    case 'command': {
      const ctx = await enterChat(services, bot, update.chatId)
      if (ctx === null) return
      const texts = textsIn(ctx.chat.language)
      const command = Object.hasOwn(commands, update.command) ? commands[update.command] : undefined
      const lines = command === undefined ? [texts.say('bot.unknown')] : await command(ctx, texts, update.text)
      const html = lines.map(escape).join('\n').slice(0, 4_000)
      await services.messenger.send(bot.token, { chatId: update.chatId, topicId: update.topicId, html, buttons: [], silent: true })
    }
  }
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

async function answerPress(services: Services, bot: Bot, press: Press): Promise<void> {
  const button = readButton(press.data)
  const entered =
    button === null ? null : await enterMessage(services, bot, { id: button.messageId, chatId: press.chatId, externalId: press.messageId })
  if (button === null || entered === null) return
  const { ctx, body } = entered
  const texts = textsIn(ctx.chat.language)
  const by = `${press.from} (Telegram)`
  const say = async (): Promise<string> => {
    switch (button.act) {
      case 'ack': {
        const incidents = await acknowledgeMessage(entered, by)
        return incidents === 0 ? texts.say('bot.gone') : texts.say('bot.acknowledged', { name: press.from })
      }
      case 'mute': {
        const domains = await muteMessage(entered, by, muteMinutes)
        return domains === 0 ? texts.say('bot.gone') : texts.say('bot.muted_all', { count: domains })
      }
      case 'check': {
        const domains = await checkMessage(entered)
        return domains === 0 ? texts.say('bot.gone') : texts.say('bot.checking', { count: domains })
      }
    }
  }
  const { said, failed } = await say().then(
    (words) => ({ said: words, failed: false }),
    (error: unknown) => {
      const code = error instanceof Error ? error.message : ''
      if (!isErrorCode(code)) services.log.warn({ err: error }, 'failed to handle a message button')
      return { said: texts.say(code === 'not_found' ? 'bot.gone' : 'bot.failed'), failed: true }
    },
  )
  const writing = { texts, timeZone: ctx.chat.timeZone }
  const { buttons } = writeForChat(button.messageId, body, writing, services.publicUrl, { repeated: false, plain: false })
  // Acknowledging works once; other buttons, and failed ones, can be pressed again.
  const left = buttons.map((row) => row.filter((each) => !('data' in each) || each.data !== press.data)).filter((row) => row.length > 0)
  await services.messenger.answer(bot.token, { ...press, text: said }, button.act === 'ack' && !failed ? left : undefined)
}
