import type { Transaction } from '#server/db/client.ts'
import { createStore, recordZoneChanges, serializeZoneChanges } from '#server/features/domains/index.ts'
import type { OpenZone, ZoneChangeOptions } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { deleteZoneProfiles, listProfilesOf, upsertZoneProfiles } from './profiles.repo.ts'

interface Assignment {
  readonly ctx: Ctx
  readonly zone: OpenZone
  readonly profileId: string | null
  readonly version: number | null
  readonly history: ZoneChangeOptions
}

async function setAll(tx: Transaction, all: readonly Assignment[]): Promise<void> {
  const ids = all.map(({ zone }) => zone.id)
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
}

const set = createStore<Assignment>({ atMost: 200 }, setAll)

/** Records that the domain has this profile in this version, or none; its settings, records and rules stay. */
export async function setProfile(
  ctx: Ctx,
  zone: OpenZone,
  profileId: string | null,
  history: ZoneChangeOptions,
  version: number | null = null,
): Promise<void> {
  // One after another, so that a batch has a domain once.
  await serializeZoneChanges(zone.id, () => set(ctx.db, { ctx, zone, profileId, version, history }))
}
