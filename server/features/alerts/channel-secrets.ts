import type { Secrets } from '#server/platform/secrets.ts'

/** What each secret is sealed with, so that none can be moved to another row. */
export const botTokenContext = (ownerId: string): string => `monitoring:${ownerId}:botToken`
export const webhookSecretContext = (channelId: string): string => `alertChannel:${channelId}:secret`

/** Null: it was sealed with another key; whoever it belongs to has to give it anew. */
export function openOrNull(secrets: Pick<Secrets, 'open'>, sealed: string, context: string): string | null {
  try {
    return secrets.open(sealed, context)
  } catch {
    return null
  }
}
