import { applySettings, openZone } from '#server/features/domains/index.ts'
import type { OpenZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { RegistrarCall } from '#server/ports/registrar.ts'
import type { PublishedDs } from '#server/ports/registry.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mayUseRegistrar } from '../set-registrar.ts'
import { listAttachedZones } from '../zone-registrars.repo.ts'
import { callsForDs, setDs, takesDs } from './set-ds.ts'
import type { CalledRegistrar } from './set-name-servers.ts'

/** The registrar of each domain that takes its DS record by API; absent: a person sets it on a website. */
export async function listDsPlaces(ctx: Ctx, domainIds: readonly string[]): Promise<Map<string, CalledRegistrar>> {
  const rows = (await listAttachedZones(ctx.db.orm, domainIds)).filter(takesDs)
  const places = await Promise.all(
    rows.map(async (row): Promise<[string, CalledRegistrar][]> => {
      const { domainId, registrarId: id, registrarName: name, registrarProvider: provider } = row
      if (id === null || name === null || provider === null || provider === 'OTHER' || !(await mayUseRegistrar(ctx, row))) return []
      return [[domainId, { id, name, provider, calls: callsForDs }]]
    }),
  )
  return new Map(places.flat())
}

/** What was done so far, by this and earlier attempts. */
export interface DnssecProgress {
  /** Whether it was turned on or off at the provider, and whether the registrar got or lost the DS record. */
  readonly turned: boolean
  readonly ds: boolean
  /** Whether the registrar confirmed that it has no DS record. */
  readonly removed: boolean
  /** For which resolvers keep the DS record. */
  readonly ttlSeconds: number
  /** Since when public DNS has no DS record, in milliseconds; null: it has one. */
  readonly goneAtMs: number | null
}

interface Switch {
  readonly id: string
  readonly enabled: boolean
  /** The operation, and what it did so far. */
  readonly batchId: string
  readonly progress: DnssecProgress
  readonly keep: (progress: DnssecProgress) => Promise<void>
  /** An undo restores only what its operation changed. */
  readonly only?: { readonly turned: boolean; readonly ds: boolean } | undefined
}

/** How often public DNS is looked at while something waits for it. */
const againSeconds = 15 * 60
/** The TTL of most registries; for resolvers that got the record just before it was removed. */
const usualTtlSeconds = 24 * 3600

/**
 * Turns DNSSEC on and gives the DS record to the registrar; or removes the DS record there, waits until no resolver has it, and then turns
 * DNSSEC off, because a domain with a DS record and without signatures is unreachable. Call it again after a `dnssec_ds_*` error, with the
 * progress that was kept. Without a registrar that takes DS records a person sets or removes them.
 * @throws AppError dnssec_ds_published, dnssec_ds_cached, dnssec_ds_unknown with `retryAfterSeconds`; those of `setDs`; any refusal by the
 * provider
 */
export async function switchDnssec(ctx: Ctx, given: Switch, call: RegistrarCall): Promise<DnssecProgress> {
  const zone = await openZone(ctx, given.id)
  const takes = (given.only?.ds ?? true) && (await listDsPlaces(ctx, [zone.id])).has(zone.id)
  return given.enabled ? turnOn(ctx, zone, given, takes, call) : turnOff(ctx, zone, given, takes, call)
}

async function turn(ctx: Ctx, zone: OpenZone, { enabled, batchId }: Switch, { signal }: RegistrarCall): Promise<boolean> {
  const options = { priority: 'bulk', source: 'operation', batchId, ...(signal === undefined ? {} : { signal }) } as const
  const { applied, refused } = await applySettings(
    ctx,
    zone,
    (now) => Promise.resolve(now.dnssec === enabled ? {} : { dnssec: enabled }),
    options,
  )
  const [first] = refused
  if (first !== undefined) throw first.error
  return applied.some(({ before, after }) => before !== after)
}

async function turnOn(ctx: Ctx, zone: OpenZone, given: Switch, takes: boolean, call: RegistrarCall): Promise<DnssecProgress> {
  let { progress } = given
  if (given.only?.turned !== false && (await turn(ctx, zone, given, call))) {
    progress = { ...progress, turned: true }
    await given.keep(progress)
  }
  if (takes && (await setDs(ctx, { id: zone.id, published: true }, call)).changed) progress = { ...progress, ds: true }
  return progress
}

async function turnOff(ctx: Ctx, zone: OpenZone, given: Switch, takes: boolean, call: RegistrarCall): Promise<DnssecProgress> {
  let { progress } = given
  const found = await ctx.delegation.findDsRecords(zone.name)
  progress = { ...progress, ...seen(progress, found, ctx.clock.now()) }
  if (takes && !progress.removed) {
    const { changed } = await setDs(ctx, { id: zone.id, published: false }, call)
    progress = { ...progress, removed: true, ds: progress.ds || changed }
  }
  if (given.only?.turned === false) return progress
  await given.keep(progress)
  if (found === null) throw new AppError('dnssec_ds_unknown', { params: { retryAfterSeconds: againSeconds } })
  if (progress.goneAtMs === null) throw new AppError('dnssec_ds_published', { params: { retryAfterSeconds: againSeconds } })
  if (await wasPublished(zone, progress, call)) {
    const waitMs = progress.goneAtMs + Math.max(progress.ttlSeconds, usualTtlSeconds) * 1000 - ctx.clock.now()
    if (waitMs > 0)
      throw new AppError('dnssec_ds_cached', { params: { retryAfterSeconds: Math.min(Math.ceil(waitMs / 1000), againSeconds) } })
  }
  return (await turn(ctx, zone, given, call)) ? { ...progress, turned: true } : progress
}

function seen(progress: DnssecProgress, found: readonly PublishedDs[] | null, nowMs: number): Partial<DnssecProgress> {
  if (found === null) return {}
  if (found.length === 0) return { goneAtMs: progress.goneAtMs ?? nowMs }
  return { goneAtMs: null, ttlSeconds: Math.max(progress.ttlSeconds, ...found.map(({ ttlSeconds }) => ttlSeconds)) }
}

/** Whether a resolver may have the DS record: it was seen, or removed just now, or the provider saw it (`active`). */
async function wasPublished(zone: OpenZone, { ttlSeconds, ds }: DnssecProgress, call: RegistrarCall): Promise<boolean> {
  if (ttlSeconds > 0 || ds) return true
  const { details } = await zone.connection.getSetting(zone.providerZoneId, 'dnssec', call)
  return details?.status !== 'pending' && details?.status !== 'disabled'
}
