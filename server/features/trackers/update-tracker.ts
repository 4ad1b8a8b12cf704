import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { Tracker, updateTrackerInput } from '#shared/features/trackers/schema.ts'
import { rejectDuplicate } from './create-tracker.ts'
import { forgetDomains } from './tracker-domains.repo.ts'
import { isSameTracker, plainFields, requireKeyFor, encryptTrackerKey, tidyAddresses, tidyUrl } from './tracker-key.ts'
import { isEnabled, toAccessTarget, toTracker } from './tracker-view.ts'
import { clearDefault, getRow, getShown, lockOwner, lockRow, updateRow } from './trackers.repo.ts'
import type { TrackerRow } from './trackers.repo.ts'

/** Omitted: unchanged; null: cleared. */
interface TrackerPatch {
  readonly name?: string | undefined
  readonly url?: string | null | undefined
  readonly apiKey?: string | null | undefined
  readonly isDefault?: true | undefined
  readonly addresses?: readonly string[] | undefined
}

const plainKeys = ['name', 'url', 'isDefault', 'addresses'] as const

/**
 * Updates a tracker in the current transaction, in which the owner and the row are locked. A new address or key triggers a reading and clears errors;
 * a new address also clears the mirror, because its ids belong to other domains. Clearing a value disables it.
 * @throws AppError tracker_exists, validation_failed
 */
export async function patchTracker(ctx: Ctx, tx: Transaction, row: TrackerRow, patch: TrackerPatch, fields = plainFields): Promise<void> {
  const url = patch.url === undefined ? row.url : patch.url === null ? null : tidyUrl(patch.url, fields.url)
  if (url !== null && url !== row.url) {
    if (patch.apiKey === undefined && row.apiKeySealed !== null) requireKeyFor({ from: row.url, to: url }, fields.apiKey)
    await rejectDuplicate(tx, { id: row.id, ownerId: row.ownerId, url })
  }
  if (patch.isDefault === true && !row.isDefault) await clearDefault(tx, row.ownerId, row.kind)
  const apiKeySealed =
    patch.apiKey === undefined ? row.apiKeySealed : patch.apiKey === null ? null : encryptTrackerKey(ctx.secrets, row.id, patch.apiKey)
  const moved = url !== null && (row.url === null || !isSameTracker(url, row.url))
  const another = url !== row.url || apiKeySealed !== row.apiKeySealed
  const changes = {
    name: patch.name ?? row.name,
    url,
    isDefault: row.isDefault || patch.isDefault === true,
    addresses: patch.addresses === undefined ? row.addresses : tidyAddresses(patch.addresses),
    ...(another
      ? {
          apiKeySealed,
          ...(url === row.url ? {} : { foundAddresses: [] }),
          ...(moved ? { syncedAt: null, domainsCount: 0 } : {}),
          syncing: false,
          syncErrorCode: null,
          syncErrorMessage: null,
          syncFailures: 0,
          nextSyncAt: isEnabled({ url, apiKeySealed }) ? new Date(ctx.clock.now()) : null,
        }
      : {}),
  }
  const changedKeys = plainKeys.filter((key) => !isDeepStrictEqual(changes[key], row[key]))
  const key = apiKeySealed === row.apiKeySealed ? [] : [['apiKey', apiKeySealed === null ? 'removed' : 'changed'] as const]
  if (changedKeys.length + key.length === 0) return
  await updateRow(tx, row.id, changes)
  if (moved) await forgetDomains(tx, row.id)
  await audit(tx, ctx, {
    action: 'update',
    entityType: 'tracker',
    entityId: row.id,
    entityName: row.name,
    ownerId: row.ownerId,
    details: Object.fromEntries<unknown>([...changedKeys.map((one) => [one, { from: row[one], to: changes[one] }] as const), ...key]),
  })
  await ctx.events.publish(tx, row.ownerId, 'trackers')
}

/**
 * A user with manage may rename it; everything else is for the owner. An omitted or empty key is kept, except for another host. `enabled: false`
 * clears address and key; bindings and the mirror are kept.
 * @throws AppError not_found, tracker_exists, validation_failed
 */
export async function updateTracker(
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof updateTrackerInput>,
): Promise<{ tracker: Tracker }> {
  const { ownerId } = await getRow(ctx.db.orm, id)
  const namesOnly = Object.entries({ ...input, enabled }).every(([key, value]) => key === 'name' || value === undefined)
  await requireLevel(ctx, toAccessTarget({ id, ownerId }), namesOnly ? 'manage' : 'own')
  return ctx.db.orm.transaction(async (tx) => {
    await lockOwner(tx, ownerId)
    const row = await lockRow(tx, id)
    const apiKey = input.apiKey === '' ? undefined : input.apiKey
    await patchTracker(ctx, tx, row, { ...input, apiKey, ...(enabled === false ? { url: null, apiKey: null } : {}) })
    return { tracker: await toTracker(ctx, await getShown(tx, id)) }
  })
}
