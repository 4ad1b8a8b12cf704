import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import type { CallOptions, HostedSetting } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { dnssecState } from '#shared/features/domains/schema.ts'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { DsRecord, DsTruth } from '#shared/features/domains/settings/schema.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import type { StoredSetting } from '../mirror/settings.repo.ts'
import { listedSettings, storedSetting } from '../mirror/zone-row.policy.ts'
import { findSettings, listSettings, updateSettings } from './zone-settings.repo.ts'
import type { MirroredSettings } from './zone-settings.repo.ts'

const dnssecId = settingCatalog.dnssec.id

/** The DS record that the provider requires; null before DNSSEC was enabled for the first time. */
function dsOf(setting: { readonly details?: unknown } | undefined): DsRecord | null {
  const state = dnssecState.safeParse(setting?.details).data
  if (state === undefined || state.keyTag === null || state.digest === null) return null
  const [algorithm, digestType] = [Number(state.algorithm), Number(state.digestType)]
  if (!Number.isInteger(algorithm) || !Number.isInteger(digestType)) return null
  return { keyTag: state.keyTag, algorithm, digestType, digest: state.digest.toUpperCase() }
}

const withoutTtl = ({ keyTag, algorithm, digestType, digest }: DsRecord): DsRecord => ({ keyTag, algorithm, digestType, digest })

const wantedDs = (settings: MirroredSettings | undefined) => dsOf(settings?.values[dnssecId])

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
  const [wanted, published] = [wantedDs(settings), found?.map(withoutTtl) ?? null]
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

/** Statuses in which a published DS record is safe: the provider signs the zone. */
const signed: ReadonlySet<string | undefined> = new Set(['active', 'pending'])

/**
 * The DS record for the registrar. It is read from the provider, because a DS record without its key makes a domain unreachable, and the mirror
 * may be older than a change made outside the panel. Call it inside `serializeZoneChanges`.
 * @throws AppError provider_*, dnssec_disabled, dnssec_key_changed if the mirror had another key
 */
export async function readWantedDs(ctx: Ctx, zone: OpenZone, call: CallOptions): Promise<DsRecord> {
  const found = await zone.connection.getSetting(zone.providerZoneId, dnssecId, call)
  const known = await storeDnssec(ctx, zone, found)
  const [wanted, shown] = [dsOf(found), dsOf(known)]
  if (wanted === null || !signed.has(found.details?.status)) throw new AppError('dnssec_disabled')
  if (shown !== null && !isSame(shown, wanted)) throw new AppError('dnssec_key_changed')
  return wanted
}

/** Writes it into the mirror, with a change made outside the panel into the history; returns what the mirror had. */
function storeDnssec(ctx: Ctx, zone: OpenZone, found: HostedSetting): Promise<StoredSetting | undefined> {
  return ctx.db.orm.transaction(async (tx) => {
    const known = (await findSettings(tx, zone.id))?.values[dnssecId]
    const changed = known !== undefined && known.value !== found.value
    if (!(await updateSettings(tx, zone.id, { [dnssecId]: storedSetting(found) }, listedSettings([found]), changed)))
      throw new AppError('not_found')
    if (changed) {
      const [before, after] = [{ value: known.value }, { value: found.value }]
      const entry = { domainId: zone.id, subject: 'setting' as const, key: dnssecId, label: dnssecId, before, after }
      await writeHistory(tx, null, { source: 'outside' }, [entry])
    }
    if (!isDeepStrictEqual(known?.details, found.details)) await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
    return known
  })
}
