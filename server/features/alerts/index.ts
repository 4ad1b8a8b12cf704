export { messageBody, readButton } from './outbox/message.ts'
export { botTokenContext, noteLostToken, decryptOrNull, webhookSecretContext, webhookUrlContext } from './channels/channel-secrets.ts'
export { chooseOwner } from './ownership.ts'
export { startAlerts } from './start-alerts.ts'
export type { AlertOptions } from './start-alerts.ts'
export { textsIn } from './outbox/texts.ts'
export type { Texts } from './outbox/texts.ts'
export { displayName } from './outbox/write-message.ts'
export type { MessageBody } from './outbox/message.ts'
export { sayCause, writeForChat } from './outbox/write-message.ts'
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
} from './telegram-bot/chat-actions.ts'
export type { ChatCtx } from './telegram-bot/chat-actions.ts'
export { startBots } from './telegram-bot/run-bots.ts'
export type { Bot } from './telegram-bot/run-bots.ts'
