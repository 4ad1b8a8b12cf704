import { channelFailure } from '#shared/features/alerts/schema.ts'
import type { AlertChannel } from '#shared/features/alerts/schema.ts'
import { hostOf, isPlain } from './channel-secrets.ts'
import type { ShownChannel } from './channels.repo.ts'

/** The channel without its secret, and only the host of a webhook's address. */
export const toChannel = ({ channel, waiting }: ShownChannel): AlertChannel => ({
  id: channel.id,
  kind: channel.kind,
  name: channel.name,
  enabled: channel.enabled,
  main: channel.main,
  chatId: channel.chatId,
  topicId: channel.topicId,
  url: isPlain(channel.url) ? hostOf(channel.url) : channel.url,
  groupIds: channel.groupIds,
  criticalOnly: channel.criticalOnly,
  failure: channel.failure === null ? null : channelFailure.parse(channel.failure),
  waiting,
  createdAt: channel.createdAt.toISOString(),
})
