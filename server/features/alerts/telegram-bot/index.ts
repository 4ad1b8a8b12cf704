export {
  acknowledgeMessage,
  checkMessage,
  enterChat,
  enterMessage,
  findDomains,
  findOne,
  muteDomain,
  muteMessage,
  readStatus,
} from './chat-actions.ts'
export type { ChatCtx } from './chat-actions.ts'
export { startBots } from './run-bots.ts'
export type { Bot, BotOptions } from './run-bots.ts'
