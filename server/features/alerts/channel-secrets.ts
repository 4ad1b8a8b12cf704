/** What each secret is sealed with, so that none can be moved to another row. */
export const botTokenContext = (ownerId: string): string => `monitoring:${ownerId}:botToken`
export const webhookSecretContext = (channelId: string): string => `alertChannel:${channelId}:secret`
