import { decryptStored } from '#server/platform/secrets.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { trackerBase } from '#server/ports/ad-tracker.ts'
import type { TrackerAccess } from '#server/ports/ad-tracker.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { TrackerRow } from './trackers.repo.ts'
import { stripEnd } from '#shared/text.ts'

/** What a encrypted key is bound to. */
export const trackerKeyContext = (id: string) => `tracker:${id}:apiKey`

/** What is kept of a key. */
export const encryptTrackerKey = (secrets: Secrets, id: string, apiKey: string): string => secrets.encrypt(apiKey, trackerKeyContext(id))

/** Null: there is none. @throws AppError secret_unreadable */
export const openKey = (secrets: Secrets, { id, name, apiKeySealed }: Pick<TrackerRow, 'id' | 'name' | 'apiKeySealed'>): string | null =>
  apiKeySealed === null
    ? null
    : decryptStored(secrets, { encrypted: apiKeySealed, context: trackerKeyContext(id), secret: 'tracker_key', name })

/** For the port. @throws AppError tracker_disabled where its address or its key is missing, secret_unreadable */
export function accessOf(secrets: Secrets, row: Pick<TrackerRow, 'id' | 'name' | 'kind' | 'url' | 'apiKeySealed'>): TrackerAccess {
  const apiKey = openKey(secrets, row)
  if (row.url === null || apiKey === null) throw new AppError('tracker_disabled')
  return { kind: row.kind, url: row.url, apiKey }
}

/** As it is kept, so that one tracker is known by one address: without what follows the path, and without a slash at the end. */
export function tidyUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${stripEnd(pathname, '/')}`
}

/** Whether two addresses lead into one tracker, at whatever page of it. */
export const isSameTracker = (one: string, other: string): boolean => trackerBase(one) === trackerBase(other)

/** As DNS records write them, so that they can be compared: each once, IPv6 in its short form. */
export const tidyAddresses = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.map((address) => (address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address))),
]

/**
 * A key is sent to the place that it was given for and to no other: anyone who may change an address could have any key sent to themselves otherwise.
 * @throws AppError validation_failed with the field that the key is to be given in
 */
export function requireKeyFor(place: { readonly from: string | null; readonly to: string }, field: string): void {
  if (place.from !== null && new URL(place.from).origin === new URL(place.to).origin) return
  throw new AppError('validation_failed', { issues: [{ path: field, message: 'key_for_address' }] })
}
