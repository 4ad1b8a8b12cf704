import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { createTrackerInput, Tracker, TrackerKind } from '#shared/features/trackers/schema.ts'
import { isSameTracker, encryptTrackerKey, plainFields, tidyAddresses, tidyUrl } from './tracker-key.ts'
import { toTracker } from './tracker-view.ts'
import { clearDefault, countOf, getShown, insertRow, listAddressed, listDefaults, lockOwner } from './trackers.repo.ts'
import type { TrackerRow } from './trackers.repo.ts'

const mostTrackers = 50

interface NewTracker {
  readonly ownerId: string
  readonly kind: TrackerKind
  readonly name: string
  readonly url: string | null
  readonly apiKey: string | null
  readonly isDefault: boolean
  readonly addresses: readonly string[]
}

/**
 * Inserts a tracker in the current transaction; the first of its kind becomes the default. If it is enabled, its list is read next.
 * @throws AppError not_found when the owner does not exist, too_many_trackers, tracker_exists, validation_failed
 */
export async function addTracker(ctx: Ctx, tx: Transaction, given: NewTracker, fields = plainFields): Promise<string> {
  const { ownerId, kind, name } = given
  const id = randomUUID()
  await lockOwner(tx, ownerId)
  if ((await countOf(tx, ownerId)) >= mostTrackers) throw new AppError('too_many_trackers', { params: { max: mostTrackers } })
  const url = given.url === null ? null : tidyUrl(given.url, fields.url)
  if (url !== null) await rejectDuplicate(tx, { id, ownerId, url })
  const first = !(await listDefaults(tx, ownerId)).some((row) => row.kind === kind)
  if (given.isDefault && !first) await clearDefault(tx, ownerId, kind)
  const now = new Date(ctx.clock.now())
  await insertRow(tx, {
    id,
    ownerId,
    kind,
    name,
    url,
    apiKeySealed: given.apiKey === null ? null : encryptTrackerKey(ctx.secrets, id, given.apiKey),
    isDefault: given.isDefault || first,
    addresses: tidyAddresses(given.addresses),
    nextSyncAt: url === null || given.apiKey === null ? null : now,
    createdAt: now,
  })
  await audit(tx, ctx, { action: 'create', entityType: 'tracker', entityId: id, entityName: name, ownerId, details: { kind, url } })
  await ctx.events.publish(tx, ownerId, 'trackers')
  return id
}

/**
 * Stores a tracker of the actor; its list of domains is read next. @throws AppError too_many_trackers, tracker_exists (`name`: of the existing one)
 */
export async function createTracker(
  ctx: Ctx,
  { isDefault = false, ...input }: z.output<typeof createTrackerInput>,
): Promise<{ tracker: Tracker }> {
  return ctx.db.orm.transaction(async (tx) => {
    const id = await addTracker(ctx, tx, { ...input, isDefault, ownerId: ctx.actor.userId })
    return { tracker: await toTracker(ctx, await getShown(tx, id)) }
  })
}

/**
 * A tracker added twice would list each of its domains twice. The caller has locked the owner.
 * @throws AppError tracker_exists with the `name` of the other
 */
export async function rejectDuplicate(tx: Transaction, row: Pick<TrackerRow, 'id' | 'ownerId'> & { readonly url: string }): Promise<void> {
  const others = await listAddressed(tx, row)
  const duplicate = others.find(({ url }) => url !== null && isSameTracker(url, row.url))
  if (duplicate !== undefined) throw new AppError('tracker_exists', { params: { name: duplicate.name } })
}
