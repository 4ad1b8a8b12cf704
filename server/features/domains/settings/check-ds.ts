import type { Ctx } from '#server/platform/context.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { dnssecState } from '#shared/features/domains/schema.ts'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { DsRecord, DsTruth } from '#shared/features/domains/settings/schema.ts'
import { openZone } from '../access/open-zone.ts'
import { listSettings } from './zone-settings.repo.ts'
import type { MirroredSettings } from './zone-settings.repo.ts'

/** The DS record that the provider requires; null before DNSSEC was enabled for the first time. */
function wantedDs(settings: MirroredSettings | undefined): DsRecord | null {
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
  const [[settings], found] = await Promise.all([listSettings(ctx.db.orm, [id]), ctx.delegation.findDsRecords(zone.name)])
  const [wanted, published] = [wantedDs(settings), found === null ? null : [...found]]
  return { ds: { wanted, published, state: stateOf(wanted, published), checkedAt: new Date(ctx.clock.now()).toISOString() } }
}

/** Concurrent DNS look-ups, the longest wait for a preview, and how many domains it looks up. */
const [maxConcurrent, previewMs, previewNames] = [25, 4_000, 200]

/** The states of the first domains, within a few seconds; those without an answer are unknown, and the others absent. */
export async function previewDs(
  ctx: Ctx,
  domains: readonly { readonly id: string; readonly name: string }[],
): Promise<ReadonlyMap<string, DsTruth['state']>> {
  const some = domains.slice(0, previewNames)
  const ids = some.map(({ id }) => id)
  const settings = new Map((await listSettings(ctx.db.orm, ids)).map((each) => [each.id as string, each]))
  const states = new Map<string, DsTruth['state']>(ids.map((id) => [id, 'unknown']))
  const semaphore = createSemaphore(maxConcurrent)
  const late = new AbortController()
  const all = some.map(({ id, name }) =>
    semaphore(async () => {
      if (!late.signal.aborted) states.set(id, stateOf(wantedDs(settings.get(id)), await ctx.delegation.findDsRecords(name)))
    }),
  )
  await Promise.race([Promise.all(all), ctx.clock.sleep(previewMs, late.signal).catch(() => undefined)])
  late.abort()
  return new Map(states)
}

/** The DS record for the registrar while DNSSEC is enabled at the provider; null otherwise. */
export async function findWantedDs(ctx: Ctx, id: string): Promise<DsRecord | null> {
  const [settings] = await listSettings(ctx.db.orm, [id])
  return settings?.values[settingCatalog.dnssec.id]?.value === true ? wantedDs(settings) : null
}
