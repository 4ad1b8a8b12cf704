import { rejectMetadataAddress } from '#server/platform/metadata-addresses.ts'
import { decryptStored } from '#server/platform/secrets.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { trackerBase } from '#server/ports/ad-tracker.ts'
import type { TrackerAccess } from '#server/ports/ad-tracker.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { TrackerRow } from './trackers.repo.ts'
import { stripEnd } from '#shared/text.ts'

/** The context an encrypted key is bound to. */
export const trackerKeyContext = (id: string) => `tracker:${id}:apiKey`

/** The encrypted form of a key. */
export const encryptTrackerKey = (secrets: Secrets, id: string, apiKey: string): string => secrets.encrypt(apiKey, trackerKeyContext(id))

/** Null: no key is stored. @throws AppError secret_unreadable */
export const openKey = (secrets: Secrets, { id, name, apiKeySealed }: Pick<TrackerRow, 'id' | 'name' | 'apiKeySealed'>): string | null =>
  apiKeySealed === null
    ? null
    : decryptStored(secrets, { encrypted: apiKeySealed, context: trackerKeyContext(id), secret: 'tracker_key', name })

/** @throws AppError tracker_disabled when its address or key is missing, secret_unreadable */
export function accessOf(secrets: Secrets, row: Pick<TrackerRow, 'id' | 'name' | 'kind' | 'url' | 'apiKeySealed'>): TrackerAccess {
  const apiKey = openKey(secrets, row)
  if (row.url === null || apiKey === null) throw new AppError('tracker_disabled')
  return { kind: row.kind, url: row.url, apiKey }
}

/** The caller's names of address and key, for errors. */
export const plainFields: { readonly url: string; readonly apiKey: string } = { url: 'url', apiKey: 'apiKey' }

/**
 * Normalizes an address so that each tracker has exactly one: without query, fragment and trailing slash.
 * @param field the caller's name of it
 * @throws AppError validation_failed for a metadata service
 */
export function tidyUrl(url: string, field: string): string {
  rejectMetadataAddress(url, field)
  const { origin, pathname } = new URL(url)
  return `${origin}${stripEnd(pathname, '/')}`
}

/** Whether two addresses belong to one tracker, whatever the page. */
export const isSameTracker = (one: string, other: string): boolean => trackerBase(one) === trackerBase(other)

/** Normalized and deduplicated for comparison with DNS records, IPv6 in its short form. */
export const tidyAddresses = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.map((address) => (address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address))),
]

/**
 * A key is sent only to the host it was entered for; otherwise a user allowed to change the address could have it sent to themselves.
 * @throws AppError validation_failed with the field in which the key is required
 */
export function requireKeyFor(place: { readonly from: string | null; readonly to: string }, field: string): void {
  if (place.from !== null && new URL(place.from).origin === new URL(place.to).origin) return
  throw new AppError('validation_failed', { issues: [{ path: field, message: 'key_for_address' }] })
}
