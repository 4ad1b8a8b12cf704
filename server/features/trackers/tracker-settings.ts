import type { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { TrackerKind, trackerSettings, updateTrackerSettingsInput } from '#shared/features/trackers/schema.ts'
import { addTracker } from './create-tracker.ts'
import { isEnabled } from './tracker-view.ts'
import { listDefaults, lockOwner, lockRow } from './trackers.repo.ts'
import { patchTracker } from './update-tracker.ts'

type Settings = z.output<typeof trackerSettings>

/** The older API of one Keitaro and one Binom: their field names, and the name of a tracker created through them. */
const fieldsOf = {
  KEITARO: { url: 'keitaroUrl', apiKey: 'keitaroApiKey', name: 'Keitaro' },
  BINOM: { url: 'binomUrl', apiKey: 'binomApiKey', name: 'Binom' },
} as const satisfies Partial<Record<TrackerKind, object>>
const kinds = Object.keys(fieldsOf) as (keyof typeof fieldsOf)[]

async function readSettings(db: Queryable, ownerId: string): Promise<Settings> {
  const rows = await listDefaults(db, ownerId)
  const of = (kind: TrackerKind) => rows.find((row) => row.kind === kind) ?? { url: null, apiKeySealed: null }
  const [keitaro, binom] = [of('KEITARO'), of('BINOM')]
  return {
    keitaroUrl: keitaro.url,
    keitaroApiKeyConfigured: keitaro.apiKeySealed !== null,
    binomUrl: binom.url,
    binomApiKeyConfigured: binom.apiKeySealed !== null,
    keitaro: { enabled: isEnabled(keitaro), connection: 'idle' },
    binom: { enabled: isEnabled(binom), connection: 'idle' },
  }
}

/**
 * The default tracker of each kind (R-TRK-01); of the actor, or for an administrator of any owner. @throws AppError not_found for another user
 */
export async function getTrackerSettings(ctx: Ctx, { ownerId = ctx.actor.userId }: { readonly ownerId?: string | undefined }) {
  await requireLevel(ctx, { ownerId }, 'own')
  return { settings: await readSettings(ctx.db.orm, ownerId) }
}

/**
 * Updates the default tracker of each kind, and creates it when there is none.
 * @throws AppError not_found for another user, tracker_exists, too_many_trackers, validation_failed for another host without its key, or a metadata service
 */
export async function updateTrackerSettings(
  ctx: Ctx,
  { ownerId = ctx.actor.userId, ...input }: z.output<typeof updateTrackerSettingsInput>,
): Promise<{ settings: Settings }> {
  await requireLevel(ctx, { ownerId }, 'own')
  return ctx.db.orm.transaction(async (tx) => {
    await lockOwner(tx, ownerId)
    const defaults = await listDefaults(tx, ownerId)
    for (const kind of kinds) {
      const fields = fieldsOf[kind]
      const patch = { url: input[fields.url], apiKey: input[fields.apiKey] }
      const found = defaults.find((row) => row.kind === kind)
      if (found !== undefined) await patchTracker(ctx, tx, await lockRow(tx, found.id), patch, fields)
      else if ((patch.url ?? null) !== null || (patch.apiKey ?? null) !== null) {
        const { url = null, apiKey = null } = patch
        await addTracker(ctx, tx, { ownerId, kind, name: fields.name, url, apiKey, isDefault: true, addresses: [] }, fields)
      }
    }
    return { settings: await readSettings(tx, ownerId) }
  })
}
