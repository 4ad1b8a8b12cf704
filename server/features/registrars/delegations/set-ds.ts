import { openZone, readWantedDs, serializeZoneChanges } from '#server/features/domains/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevelOfSeen } from '#server/platform/access-scope.ts'
import type { RegistrarCall } from '#server/ports/registrar.ts'
import type { DsRecord } from '#server/ports/registry.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { accessOf } from '../registrar-credential.ts'
import { getRow } from '../registrars.repo.ts'
import { listAttachedZones } from '../zone-registrars.repo.ts'
import type { Attached } from '../zone-registrars.repo.ts'

const textOf = ({ keyTag, algorithm, digestType, digest }: DsRecord) => `${keyTag} ${algorithm} ${digestType} ${digest.toUpperCase()}`
const without = (records: readonly DsRecord[], others: readonly DsRecord[]) => {
  const texts = new Set(others.map(textOf))
  return records.filter((record) => !texts.has(textOf(record)))
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

/** Whether the API of the domain's registrar takes DS records. */
export const takesDs = ({ registrarId, registrarType, registrarProvider }: Attached): boolean =>
  registrarId !== null &&
  registrarType !== 'MANUAL' &&
  registrarProvider !== null &&
  registrarProvider !== 'OTHER' &&
  registrarCatalog[registrarProvider].setsDs

/** They are listed before and after the change. */
export const callsForDs = 3

/** `wanted`: the record that Cloudflare requires; `all`: every record that is there. */
export interface DsChange {
  readonly add: 'wanted' | readonly DsRecord[]
  readonly remove: 'all' | readonly DsRecord[]
}
/** The records that a change adds and removes at the registrar. */
export interface DsDifference {
  readonly added: readonly DsRecord[]
  readonly removed: readonly DsRecord[]
}

/**
 * Gives the DS record of a domain to its registrar, or removes all that are there.
 * @throws AppError as `changeDs`
 */
export const setDs = async (ctx: Ctx, { id, published }: { readonly id: string; readonly published: boolean }) =>
  changeDs(ctx, id, published ? { add: 'wanted', remove: [] } : { add: [], remove: 'all' }, { priority: 'person' })

/**
 * Changes the DS records at the registrar. It reads first and last, so that a repetition sends nothing and the answer is what the registrar has.
 * Records are added only to a zone that Cloudflare signs and serves.
 * @param keep receives the difference before anything is sent
 * @throws AppError not_found, level_too_low, registrar_none, registrar_manual, registrar_ds_website, dnssec_zone_inactive, dnssec_disabled,
 * dnssec_key_changed and any refusal by the provider or the registrar
 */
export async function changeDs(
  ctx: Ctx,
  id: string,
  change: DsChange,
  call: RegistrarCall,
  keep: (difference: DsDifference) => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly records: DsRecord[] }> {
  const zone = await openZone(ctx, id, 'operate')
  const [attached] = await listAttachedZones(ctx.db.orm, [id])
  if (attached === undefined) throw new AppError('not_found')
  await requireLevelOfSeen(ctx, attached, 'operate')
  if (attached.registrarId === null) throw new AppError('registrar_none')
  if (attached.registrarType === 'MANUAL') throw new AppError('registrar_manual')
  const { dsRecords } = ctx.registrars.connect(accessOf(ctx.secrets, await getRow(ctx.db.orm, attached.registrarId)))
  if (dsRecords === null) throw new AppError('registrar_ds_website')
  const adds = change.add === 'wanted' || change.add.length > 0
  if (adds && !attached.served) throw new AppError('dnssec_zone_inactive')
  // In turn with changes of the zone, so that DNSSEC is not turned off between its reading and the DS record.
  return serializeZoneChanges(zone.id, async () => {
    const wanted = adds ? await readWantedDs(ctx, zone, call) : null
    const before = await dsRecords.list(zone.name, call)
    const adding = change.add !== 'wanted' ? change.add : wanted === null ? [] : [wanted]
    const added = without(adding, before)
    const removing = change.remove === 'all' ? before : change.remove
    const removed = before.filter((record) => removing.some((each) => textOf(each) === textOf(record)))
    await keep({ added, removed })
    const send = async () => {
      for (const record of removed) await dsRecords.remove(zone.name, record, call)
      for (const record of added) await dsRecords.add(zone.name, record, call)
    }
    const failure = await send().then(() => null, asAppError)
    // Read also after a failure, because the registrar may have carried out a call whose response was lost.
    const after = await dsRecords.list(zone.name, call).catch(asAppError)
    const [from, to] = [before.map(textOf), after instanceof AppError ? null : after.map(textOf)]
    if (to === null || from.join() !== to.join())
      await ctx.db.orm.transaction((tx) =>
        audit(tx, ctx, {
          action: 'update',
          entityType: 'zone',
          entityId: zone.id,
          entityName: zone.name,
          ownerId: zone.ownerId,
          details: { dsRecords: { from, to } },
        }),
      )
    if (after instanceof AppError) throw failure ?? after
    const isDone = without(added, after).length === 0 && without(removed, after).length === removed.length
    if (failure !== null && !isDone) throw failure
    return { records: [...after] }
  })
}
