import type { Services } from '#server/platform/context.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { noteFailureOfChats } from './channels.repo.ts'

/** The context each secret is bound to, so that none can be moved to another row. */
export const botTokenContext = (ownerId: string): string => `monitoring:${ownerId}:botToken`
export const webhookUrlContext = (channelId: string): string => `alertChannel:${channelId}:url`
export const webhookSecretContext = (channelId: string): string => `alertChannel:${channelId}:secret`

/** Null: encrypted with another key; the owner has to enter it again. */
export function decryptOrNull(secrets: Pick<Secrets, 'decrypt'>, encrypted: string, context: string): string | null {
  try {
    return secrets.decrypt(encrypted, context)
  } catch {
    return null
  }
}

export const hostOf = (url: string): string => new URL(url).host

interface Address {
  readonly id: string
  readonly url: string | null
  readonly urlSealed: string | null
}

/** The stored form of a webhook's address. */
export const encryptAddress = (secrets: Pick<Secrets, 'encrypt'>, id: string, url: string): Omit<Address, 'id'> => ({
  url: hostOf(url),
  urlSealed: secrets.encrypt(url, webhookUrlContext(id)),
})

/** Whether the column still has the whole address of an earlier version, which may run concurrently, instead of the host. */
export const isPlain = (url: string | null): url is string => url?.includes('://') === true

/** Null: there is none, or it was encrypted with another key. */
export function addressOf(secrets: Pick<Secrets, 'decrypt'>, { id, url, urlSealed }: Address): string | null {
  if (isPlain(url)) return url
  return urlSealed === null ? null : decryptOrNull(secrets, urlSealed, webhookUrlContext(id))
}

/**
 * Marks an owner's chats as failing because their bot token was encrypted with another key.
 * @returns whether any of them was not marked yet
 */
export const noteLostToken = ({ db, clock, events }: Pick<Services, 'db' | 'clock' | 'events'>, ownerId: string): Promise<boolean> =>
  db.orm.transaction(async (tx) => {
    const failure = { code: 'secret_lost' as const, message: '', at: new Date(clock.now()).toISOString() }
    const isNew = await noteFailureOfChats(tx, ownerId, failure)
    if (isNew) await events.publish(tx, ownerId, 'monitoring')
    return isNew
  })
