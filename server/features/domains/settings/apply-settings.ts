import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '#server/db/client.ts'
import { wantDetails } from '#server/features/sync/index.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { CallOptions, HostedSetting, Priority } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DomainSettings } from '#shared/features/domains/schema.ts'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { SettingEndpoint, SettingId } from '#shared/features/domains/settings/catalog.ts'
import type { SettingKey, SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { listedSettings, storedSetting } from '../mirror/zone-row.policy.ts'
import { toDomainSettings } from './domain-settings.ts'
import { wantedOf } from './setting-words.ts'
import type { Wanted } from './setting-words.ts'
import { findSettings, updateSettings, updateSettingsDue, upsertUniversal } from './zone-settings.repo.ts'

export interface ApplyOptions extends HistoryOptions {
  readonly priority: Priority
  readonly signal?: AbortSignal
  /** The history entry that this reverts. */
  readonly revertsId?: string | null
}

export interface AppliedSettings {
  /** Accepted by the provider, in its ids and values; equal ones were unchanged. */
  readonly applied: readonly { readonly key: SettingKey; readonly id: SettingId; readonly before: unknown; readonly after: unknown }[]
  readonly refused: readonly { readonly key: SettingKey; readonly id: SettingId; readonly error: AppError }[]
}

/** Refusals that the other settings of the zone would get as well. */
const ofTheZone = new Set(['provider_rate_limited', 'provider_unavailable', 'shutting_down', 'provider_not_found'])
/** Refusals that those of the same endpoint would get as well. */
const ofTheEndpoint = new Set(['provider_auth', 'provider_forbidden'])

const universalSslId = settingCatalog.universalSsl.id

/** Sends the setting and, if the answer is lost, checks whether it took effect. */
async function sendSurely({ connection, providerZoneId }: OpenZone, { id, value }: Wanted, call: CallOptions): Promise<HostedSetting> {
  try {
    return await connection.editSetting(providerZoneId, id, value, call)
  } catch (error) {
    if (!(error instanceof AppError) || !error.isUnclear) throw error
    const now = await connection.getSetting(providerZoneId, id, call).catch(() => null)
    if (now === null || !isDeepStrictEqual(now.value, value)) throw error
    return now
  }
}

/** The remaining seconds if answered; lists do not filter by it. */
function developmentModeOf(answers: ReadonlyMap<SettingId, HostedSetting>): { developmentMode?: number } {
  const answer = answers.get('development_mode')
  if (answer === undefined) return {}
  return { developmentMode: answer.value === 'on' ? Math.max(1, answer.timeRemainingSeconds ?? 10_800) : 0 }
}

/** Writes the provider's answers into the mirror. */
async function store(db: Queryable, domainId: string, answers: ReadonlyMap<SettingId, HostedSetting>, modified: boolean): Promise<void> {
  await requireClaim()
  const { [universalSslId]: _, ...values } = Object.fromEntries([...answers].map(([id, answer]) => [id, storedSetting(answer)]))
  if (!(await updateSettings(db, domainId, values, { ...listedSettings([...answers.values()]), ...developmentModeOf(answers) }, modified)))
    throw new AppError('not_found')
  const universalSsl = answers.get(universalSslId)?.value
  if (typeof universalSsl === 'boolean') await upsertUniversal(db, domainId, universalSsl)
}

/** The patch, or a function that computes it from the settings once the zone's turn comes. */
type Wish = SettingsPatch | ((now: DomainSettings) => Promise<SettingsPatch>)

/**
 * Changes settings of one zone, each with its own call. Accepted ones are in the mirror and the history when this returns, whatever happens
 * to the others; a refusal is returned, not thrown. Calls `serializeZoneChanges` itself: do not call inside it.
 */
export function applySettings(ctx: Ctx, zone: OpenZone, wish: Wish, options: ApplyOptions): Promise<AppliedSettings> {
  return serializeZoneChanges(zone.id, () => applyInTurn(ctx, zone, wish, options))
}

async function applyInTurn(ctx: Ctx, zone: OpenZone, wish: Wish, options: ApplyOptions): Promise<AppliedSettings> {
  const { priority, signal, revertsId = null, ...historyOptions } = options
  const call: CallOptions = { priority, ...(signal === undefined ? {} : { signal }) }
  const mirror = await findSettings(ctx.db.orm, zone.id)
  if (mirror === null) throw new AppError('not_found')
  const patch = typeof wish === 'function' ? await wish(toDomainSettings(mirror, ctx.clock.now())) : wish
  const wanted = wantedOf(patch)
  if (wanted.length === 0) return { applied: [], refused: [] }

  /** The previous value: from the mirror, or from the provider if the mirror does not have it yet. */
  async function knownBefore(id: SettingId): Promise<{ readonly value: unknown; readonly editable: boolean }> {
    if (mirror === null) throw new AppError('not_found')
    if (id === universalSslId && mirror.universalSsl !== null) return { value: mirror.universalSsl, editable: true }
    // Development mode expires automatically: the stored setting may be old, the seconds of the zone are exact.
    if (id === 'development_mode') {
      const running = mirror.listedAt.getTime() + mirror.developmentMode * 1000 > ctx.clock.now()
      return { value: mirror.developmentMode > 0 && running ? 'on' : 'off', editable: mirror.values[id]?.editable ?? true }
    }
    const known = mirror.values[id]
    if (known !== undefined) return known
    // Stored in the mirror before anything is sent, because recovery after a crash needs the previous value.
    const found = await zone.connection.getSetting(zone.providerZoneId, id, call)
    await store(ctx.db.orm, zone.id, new Map([[id, found]]), false)
    return found
  }

  const applied: { key: SettingKey; id: SettingId; before: unknown; after: unknown }[] = []
  const refused: { key: SettingKey; id: SettingId; error: AppError }[] = []
  const answers = new Map<SettingId, HostedSetting>()
  let stopped: AppError | null = null
  const stoppedEndpoints = new Map<SettingEndpoint, AppError>()
  let doubtful = false
  for (const each of wanted) {
    const { key, id } = each
    const { endpoint } = settingCatalog[key]
    const refusal = stopped ?? stoppedEndpoints.get(endpoint)
    if (refusal !== undefined) {
      refused.push({ key, id, error: refusal })
      continue
    }
    try {
      const before = await knownBefore(id)
      if (!before.editable) throw new AppError('setting_not_editable')
      const answer = await sendSurely(zone, each, call)
      answers.set(id, answer)
      applied.push({ key, id, before: before.value, after: answer.value })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.push({ key, id, error })
      if (ofTheZone.has(error.code)) stopped = error
      if (ofTheEndpoint.has(error.code)) stoppedEndpoints.set(endpoint, error)
      if (error.isUnclear) doubtful = true
    }
  }

  await ctx.db.orm.transaction(async (tx) => {
    const changed = applied.filter(({ before, after }) => !isDeepStrictEqual(before, after))
    if (answers.size > 0) await store(tx, zone.id, answers, changed.length > 0)
    const entries = changed.map(({ id, before, after }) => ({
      domainId: zone.id,
      subject: 'setting' as const,
      key: id,
      label: id,
      before: { value: before },
      after: { value: after },
      revertsId,
    }))
    await writeHistory(tx, ctx, historyOptions, entries)
    if (changed.length > 0) {
      const details = Object.fromEntries(changed.map(({ key, before, after }) => [key, { from: before, to: after }]))
      await audit(tx, ctx, {
        action: 'update',
        entityType: 'zone',
        entityId: zone.id,
        entityName: zone.name,
        ownerId: zone.ownerId,
        details,
      })
    }
    if (doubtful) {
      await updateSettingsDue(tx, zone.id)
      await wantDetails(tx, [zone.id])
    }
    if (answers.size > 0) await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
  })
  return { applied, refused }
}
