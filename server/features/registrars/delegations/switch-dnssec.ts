import { applySettings, openZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { RegistrarCall } from '#server/ports/registrar.ts'
import type { DsRecord, PublishedDs } from '#server/ports/registry.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mayUseRegistrar } from '../set-registrar.ts'
import { listAttachedZones } from '../zone-registrars.repo.ts'
import { callsForDs, changeDs, takesDs } from './set-ds.ts'
import type { DsChange } from './set-ds.ts'
import type { CalledRegistrar } from './set-name-servers.ts'

interface DsPlace {
  /** Whether the domain uses the name servers of its active zone; otherwise its signatures are not the provider's. */
  readonly served: boolean
  /** Takes the DS record by API; null: a person sets it on a website. */
  readonly registrar: CalledRegistrar | null
}

/** Where the DS records of domains are set. */
export async function listDsPlaces(ctx: Ctx, domainIds: readonly string[]): Promise<Map<string, DsPlace>> {
  const rows = await listAttachedZones(ctx.db.orm, domainIds)
  const places = await Promise.all(
    rows.map(async (row): Promise<[string, DsPlace]> => {
      const { domainId, served, registrarId: id, registrarName: name, registrarProvider: provider } = row
      const isUsable = takesDs(row) && id !== null && name !== null && provider !== null && provider !== 'OTHER'
      return [
        domainId,
        { served, registrar: isUsable && (await mayUseRegistrar(ctx, row)) ? { id, name, provider, calls: callsForDs } : null },
      ]
    }),
  )
  return new Map(places)
}

/** What this and earlier attempts did or were about to do. */
export interface DnssecProgress {
  /** Whether it was turned on or off at the provider. */
  readonly turned: boolean
  /** DS records that the registrar got and lost. */
  readonly added: readonly DsRecord[]
  readonly removed: readonly DsRecord[]
  /** Whether the registrar confirmed that its records are removed. */
  readonly confirmed: boolean
  /** For which resolvers keep the DS record. */
  readonly ttlSeconds: number
  /** Since when public DNS has no DS record, in milliseconds; null: it has one. */
  readonly goneAtMs: number | null
}

interface Switch {
  readonly id: string
  readonly enabled: boolean
  /** The DS records to change at a registrar that takes them; null: none. */
  readonly ds: DsChange | null
  /** False: only the DS records are changed. */
  readonly turns: boolean
  /** The operation, and what it did so far. */
  readonly batchId: string
  readonly progress: DnssecProgress
  readonly keep: (progress: DnssecProgress) => Promise<void>
}

/** How often public DNS is looked at while something waits for it. */
const againSeconds = 15 * 60
/** The TTL of most registries; for resolvers that got the record just before it was removed. */
const usualTtlSeconds = 24 * 3600

/**
 * Turns DNSSEC on and gives the DS record to the registrar; or removes the DS record there, waits until no resolver has it, and then turns
 * DNSSEC off, because a domain with a DS record and without signatures is unreachable. Call it again after a `dnssec_ds_*` error, with the
 * progress that was kept. Without a registrar that takes DS records a person sets or removes them.
 * @throws AppError dnssec_ds_published, dnssec_ds_cached, dnssec_ds_unknown with `retryAfterSeconds`; dnssec_zone_inactive; those of `changeDs`;
 * any refusal by the provider
 */
export async function switchDnssec(ctx: Ctx, given: Switch, call: RegistrarCall): Promise<DnssecProgress> {
  const zone = await openZone(ctx, given.id)
  const place = (await listDsPlaces(ctx, [zone.id])).get(zone.id)
  if (given.enabled && place?.served !== true) throw new AppError('dnssec_zone_inactive')
  const known = { progress: given.progress }
  const keep = (progress: DnssecProgress) => given.keep((known.progress = progress))

  async function turn(): Promise<void> {
    const { enabled, batchId } = given
    const { signal } = call
    const { refused } = await applySettings(
      ctx,
      zone,
      async (now) => {
        if (now.dnssec === enabled) return {}
        await keep({ ...known.progress, turned: true })
        return { dnssec: enabled }
      },
      { priority: 'bulk', source: 'operation', batchId, ...(signal === undefined ? {} : { signal }) },
    )
    const [first] = refused
    if (first !== undefined) throw first.error
  }
  async function moveDs(): Promise<void> {
    if (place?.registrar == null || given.ds === null) return
    await changeDs(ctx, zone.id, given.ds, call, ({ added, removed }) => {
      const { progress } = known
      return keep({ ...progress, added: [...progress.added, ...added], removed: [...progress.removed, ...removed] })
    })
  }

  if (given.enabled) {
    if (given.turns) await turn()
    await moveDs()
    return known.progress
  }
  const found = await ctx.delegation.findDsRecords(zone.name)
  await keep({ ...known.progress, ...seen(known.progress, found, ctx.clock.now()) })
  if (!known.progress.confirmed) {
    await moveDs()
    await keep({ ...known.progress, confirmed: true })
  }
  if (!given.turns) return known.progress
  requireForgotten(known.progress, found, ctx.clock.now())
  await turn()
  return known.progress
}

function seen(progress: DnssecProgress, found: readonly PublishedDs[] | null, nowMs: number): Partial<DnssecProgress> {
  if (found === null) return {}
  if (found.length === 0) return { goneAtMs: progress.goneAtMs ?? nowMs }
  return { goneAtMs: null, ttlSeconds: Math.max(progress.ttlSeconds, ...found.map(({ ttlSeconds }) => ttlSeconds)) }
}

/** A resolver may have the record even if ours never did. */
function requireForgotten({ goneAtMs, ttlSeconds }: DnssecProgress, found: readonly PublishedDs[] | null, nowMs: number): void {
  if (found === null) throw new AppError('dnssec_ds_unknown', { params: { retryAfterSeconds: againSeconds } })
  if (goneAtMs === null) throw new AppError('dnssec_ds_published', { params: { retryAfterSeconds: againSeconds } })
  const waitMs = goneAtMs + Math.max(ttlSeconds, usualTtlSeconds) * 1000 - nowMs
  if (waitMs > 0)
    throw new AppError('dnssec_ds_cached', { params: { retryAfterSeconds: Math.min(Math.ceil(waitMs / 1000), againSeconds) } })
}
