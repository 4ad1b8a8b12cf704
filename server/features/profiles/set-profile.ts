import { recordZoneChange } from '#server/features/domains/index.ts'
import type { OpenZone, ZoneChangeOptions } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import { deleteZoneProfile, listProfilesOf, upsertZoneProfile } from './profiles.repo.ts'

/** Records that the domain has this profile in this version, or none; its settings, records and rules stay. */
export async function setProfile(
  ctx: Ctx,
  zone: OpenZone,
  profileId: string | null,
  history: ZoneChangeOptions,
  version: number | null = null,
): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    const find = async () => {
      const profile = (await listProfilesOf(tx, [zone.id])).get(zone.id)
      return profile === undefined ? null : { id: profile.id, name: profile.name, version: profile.version }
    }
    const before = await find()
    if (profileId !== null) await upsertZoneProfile(tx, zone.id, profileId, version)
    else if ((await deleteZoneProfile(tx, zone.id)) === null) return
    await recordZoneChange(ctx, tx, zone, { key: 'profile', before, after: await find() }, history)
    await ctx.events.publish(tx, zone.ownerId, 'profiles')
  })
}
