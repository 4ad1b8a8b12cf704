import type { Secrets } from '#server/platform/secrets.ts'

/** What each secret is sealed with, so that none can be moved to another row. */
export const botTokenContext = (ownerId: string): string => `monitoring:${ownerId}:botToken`
export const webhookUrlContext = (channelId: string): string => `alertChannel:${channelId}:url`
export const webhookSecretContext = (channelId: string): string => `alertChannel:${channelId}:secret`

/** Null: it was sealed with another key; whoever it belongs to has to give it anew. */
export function openOrNull(secrets: Pick<Secrets, 'open'>, sealed: string, context: string): string | null {
  try {
    return secrets.open(sealed, context)
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

/** As a webhook's address is kept. */
export const sealAddress = (secrets: Pick<Secrets, 'seal'>, id: string, url: string): Omit<Address, 'id'> => ({
  url: hostOf(url),
  urlSealed: secrets.seal(url, webhookUrlContext(id)),
})

/** An earlier version of the panel, which may still run beside this one, keeps the whole address where now its host is. */
export const isPlain = (url: string | null): url is string => url?.includes('://') === true

/** Null: there is none, or it was sealed with another key. */
export function addressOf(secrets: Pick<Secrets, 'open'>, { id, url, urlSealed }: Address): string | null {
  if (isPlain(url)) return url
  return urlSealed === null ? null : openOrNull(secrets, urlSealed, webhookUrlContext(id))
}
