import type { Transaction } from '#server/db/client.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isSameTracker } from './tracker-key.ts'
import { listAddressed } from './trackers.repo.ts'
import type { TrackerRow } from './trackers.repo.ts'

/**
 * A tracker that is there twice would have each of its domains twice. The owner is locked by whoever asks.
 * @throws AppError tracker_exists with the `name` of the other
 */
export async function refuseTwin(tx: Transaction, row: Pick<TrackerRow, 'id' | 'ownerId'> & { readonly url: string }): Promise<void> {
  const others = await listAddressed(tx, row)
  const twin = others.find(({ url }) => url !== null && isSameTracker(url, row.url))
  if (twin !== undefined) throw new AppError('tracker_exists', { params: { name: twin.name } })
}
