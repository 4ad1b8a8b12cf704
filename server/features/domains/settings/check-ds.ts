import type { Ctx } from '#server/platform/context.ts'
import { dnssecState } from '#shared/features/domains/schema.ts'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { DsRecord, DsTruth } from '#shared/features/domains/settings/schema.ts'
import { openZone } from '../access/open-zone.ts'
import { findSettings } from './zone-settings.repo.ts'

/** The DS record that the provider requires; null before DNSSEC was enabled for the first time. */
async function findWantedDs(ctx: Ctx, id: string): Promise<DsRecord | null> {
  const settings = await findSettings(ctx.db.orm, id)
  const state = dnssecState.safeParse(settings?.values[settingCatalog.dnssec.id]?.details).data
  if (state === undefined || state.keyTag === null || state.digest === null) return null
  const [algorithm, digestType] = [Number(state.algorithm), Number(state.digestType)]
  if (!Number.isInteger(algorithm) || !Number.isInteger(digestType)) return null
  return { keyTag: state.keyTag, algorithm, digestType, digest: state.digest.toUpperCase() }
}

const isSame = (one: DsRecord, other: DsRecord) =>
  one.keyTag === other.keyTag && one.algorithm === other.algorithm && one.digestType === other.digestType && one.digest === other.digest

/** One matching record is enough for resolvers, whatever is published beside it. */
function stateOf(wanted: DsRecord | null, published: readonly DsRecord[] | null): DsTruth['state'] {
  if (published === null) return 'unknown'
  if (published.length === 0) return 'not_published'
  return wanted !== null && published.some((each) => isSame(each, wanted)) ? 'published' : 'different'
}

/**
 * The domain's DS records in public DNS, compared with the one that the provider requires.
 * @throws AppError not_found
 */
export async function checkDs(ctx: Ctx, id: string): Promise<{ ds: DsTruth }> {
  const zone = await openZone(ctx, id, 'view')
  const [wanted, found] = await Promise.all([findWantedDs(ctx, id), ctx.delegation.findDsRecords(zone.name)])
  const published = found === null ? null : [...found]
  return { ds: { wanted, published, state: stateOf(wanted, published), checkedAt: new Date(ctx.clock.now()).toISOString() } }
}
