import type { Database } from '#server/db/client.ts'
import { recordZoneChanges, serializeZoneChanges } from '#server/features/domains/index.ts'
import type { OpenZone, ZoneChangeOptions } from '#server/features/domains/index.ts'
import { createBatchLoader } from '#server/platform/batch-loader.ts'
import type { Ctx } from '#server/platform/context.ts'
import { currentFence } from '#server/platform/write-fence.ts'
import type { WriteFence } from '#server/platform/write-fence.ts'
import { deleteZoneProfiles, listProfilesOf, upsertZoneProfiles } from './profiles.repo.ts'

interface Assignment {
  readonly ctx: Ctx
  readonly zone: OpenZone
  readonly profileId: string | null
  readonly version: number | null
  readonly history: ZoneChangeOptions
  readonly fence: WriteFence | undefined
}

/** One transaction for many domains, because an operation has thousands. */
async function setAll(db: Database, all: readonly Assignment[]): Promise<void> {
  const ids = all.map(({ zone }) => zone.id)
  await db.orm.transaction(async (tx) => {
    for (const fence of new Set(all.map((each) => each.fence))) await fence?.confirmStore?.()
    const find = async () => {
      const found = await listProfilesOf(tx, ids)
      return ids.map((id) => {
        const profile = found.get(id)
        return profile === undefined ? null : { id: profile.id, name: profile.name, version: profile.version }
      })
    }
    const before = await find()
    await upsertZoneProfiles(
      tx,
      all.flatMap(({ zone, profileId, version }) => (profileId === null ? [] : [{ domainId: zone.id, profileId, version }])),
    )
    await deleteZoneProfiles(
      tx,
      all.flatMap(({ zone, profileId }) => (profileId === null ? [zone.id] : [])),
    )
    const after = await find()
    await recordZoneChanges(
      tx,
      all.map(({ ctx, zone, history }, at) => ({ ctx, zone, key: 'profile', before: before[at], after: after[at], options: history })),
    )
    for (const [ownerId, theirs] of Map.groupBy(all, ({ zone }) => zone.ownerId)) {
      await theirs[0]?.ctx.events.publish(tx, ownerId, 'profiles')
    }
  })
}

const createSetter = (db: Database) =>
  createBatchLoader<Assignment, void>(200, async (all) => {
    await setAll(db, all)
    return all.map(() => undefined)
  })
const setters = new WeakMap<Database, ReturnType<typeof createSetter>>()

/** Records that the domain has this profile in this version, or none; its settings, records and rules stay. */
export async function setProfile(
  ctx: Ctx,
  zone: OpenZone,
  profileId: string | null,
  history: ZoneChangeOptions,
  version: number | null = null,
): Promise<void> {
  const set = setters.get(ctx.db) ?? createSetter(ctx.db)
  setters.set(ctx.db, set)
  const fence = currentFence()
  // One after another, so that a batch has a domain once.
  await serializeZoneChanges(zone.id, () => set({ ctx, zone, profileId, version, history, fence }))
}
