import { z } from 'zod'
import {
  applyRecordChanges,
  applySettings,
  listDomainSettings,
  listMirror,
  openZone,
  pauseZone,
  removeZone,
  setGroup,
} from '#server/features/domains/index.ts'
import { listMissingByZone } from '#server/features/domains/mirror/index.ts'
import { attachToRegistrar, listAttachedZones } from '#server/features/registrars/index.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import type { OpenZone } from '#server/features/domains/index.ts'
import { addZone } from '#server/features/domains/creation/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { inputOf } from '#shared/features/domains/records/record-types.ts'
import { checkRecord, comparableContent } from '#shared/features/domains/records/rules.ts'
import { dnsRecord, recordType } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord, RecordInput } from '#shared/features/domains/records/schema.ts'
import { settingsPatch } from '#shared/features/domains/settings/schema.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { DoneItem, DraftedZone, OperationKind, Outcome, RunItem } from '../operation-kind.ts'
import type { PlanZone } from '../planned.ts'
import { noteProgress } from '../run-items.repo.ts'
import { differing, patchOfKnown, transferable } from './settings.ts'
import { countChanges, findProfileId, findResult, listCreated, listDeleted, markUndoneAt, saveProfileId } from './undo-zones.repo.ts'

/** The stored state of a deleted zone, enough to create it again. */
const keptZone = z.object({
  records: z.array(dnsRecord),
  settings: settingsPatch,
  groupId: z.uuid().nullable(),
  profileId: z.uuid().nullable(),
  registrarId: z.uuid().nullable().default(null),
  paused: z.boolean(),
})
type KeptZone = z.infer<typeof keptZone>

export const zoneWork = z.union([
  z.object({ restore: z.int() }),
  /** `changes`: how many changes others had made at preview time. */
  z.object({ remove: z.int(), changes: z.int() }),
])
type ZoneWork = z.infer<typeof zoneWork>
type PlanUndo = NonNullable<OperationKind['planUndo']>

const recordsPerCall = 200
/** Account, zone, its current records and settings, SSL mode and Always Use HTTPS. */
const callsForZone = 6

const isGone = (error: unknown) => error instanceof AppError && error.code === 'provider_not_found'

/**
 * Stores the state of the zone before it is deleted; reads first what the mirror does not have.
 * @throws AppError of the provider, in which case the zone must not be deleted
 */
export async function keepZone(ctx: Ctx, zone: OpenZone, item: RunItem): Promise<KeptZone> {
  const call = { priority: 'bulk' } as const
  const unread = [
    ...(zone.recordsReadAt === null ? ['records' as const] : []),
    ...(zone.settingsReadAt === null ? ['settings' as const] : []),
  ]
  for (const part of zone.goneAt === null ? unread : []) {
    try {
      await refreshPart(ctx, zone, part, call)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  const settings = (await listDomainSettings(ctx, [zone.id])).get(zone.id)
  // They may still exist.
  const missing = await listMissingByZone(ctx.db.orm, [zone.id])
  const kept: KeptZone = {
    records: [...(await listMirror(ctx.db.orm, zone.id)).records, ...(missing.get(zone.id) ?? [])],
    settings: settings === undefined ? {} : patchOfKnown(settings),
    groupId: zone.groupId,
    profileId: await findProfileId(ctx.db, zone.id),
    registrarId: (await listAttachedZones(ctx.db.orm, [zone.id]))[0]?.registrarId ?? null,
    paused: zone.paused,
  }
  // Stored before the deletion, so that a crash in between loses nothing.
  await noteProgress(ctx.db.orm, item, kept)
  return kept
}

/** What an earlier attempt of this item stored. */
export const findKept = (ctx: Ctx, { operationId, position }: RunItem): Promise<unknown> => findResult(ctx.db, operationId, position)

/** Zones in accounts that the actor still manages. */
async function managed<T extends Pick<PlanZone, 'ownerId' | 'accountId'>>(ctx: Ctx, zones: readonly T[]): Promise<Set<T>> {
  const levels = await Promise.all(zones.map(({ ownerId, accountId }) => findLevel(ctx, { ownerId, accountId })))
  return new Set(zones.filter((_zone, index) => isAtLeast(levels[index] ?? 'view', 'manage')))
}

/** Completed changes that cannot be undone because their object no longer exists: listed with the reason. */
export const planLost = (done: readonly DoneItem[], isThere: (item: DoneItem) => boolean, refused: string): DraftedZone[] =>
  done
    .filter((item) => !isThere(item))
    .map(({ position: _position, domainId: id, ...zone }) => ({ zone: { ...zone, id }, plan: { refused } }))

/** Creates deleted zones again; they get new name servers and certificates. */
export const planRestore: PlanUndo = async (ctx, { id: operationId }, done) => {
  const positions = done.map(({ position }) => position)
  const deleted = await listDeleted(ctx.db, operationId, positions)
  const ours = await managed(ctx, deleted)
  const known = new Set(deleted.map(({ position }) => position))
  const plans = deleted.map((each): DraftedZone => {
    const { position, result, there, ...zone } = each
    const kept = keptZone.safeParse(result)
    const drafted = { ...zone, id: null }
    if (!ours.has(each)) return { zone: drafted, plan: { refused: 'level_too_low' } }
    if (!kept.success) return { zone: drafted, plan: { refused: 'nothing_to_take_back' } }
    if (there) return { zone: drafted, plan: { refused: 'domain_ours' } }
    const { records, settings } = kept.data
    return {
      zone: drafted,
      plan: {
        before: null,
        after: { records: records.length, settings },
        dangers: ['new_name_servers', 'new_certificates'],
        calls: callsForZone + Object.keys(settings).length + Math.ceil(records.length / recordsPerCall),
        work: { restore: position } satisfies ZoneWork,
      },
    }
  })
  return [...plans, ...planLost(done, ({ position }) => known.has(position), 'account_gone')]
}

/** Deletes zones that an operation created; zones that existed before stay. */
export const planRemoval: PlanUndo = async (ctx, { id: operationId }, done) => {
  const positions = done.map(({ position }) => position)
  const created = await listCreated(ctx.db, operationId, positions)
  const ours = await managed(ctx, created)
  const known = new Set(created.map(({ position }) => position))
  const plans = created.map((each): DraftedZone => {
    const { position, records, own, changes, delegated, ...zone } = each
    if (!ours.has(each)) return { zone, plan: { refused: 'level_too_low' } }
    if (!own) return { zone, plan: { refused: 'not_created_here' } }
    return {
      zone,
      plan: {
        before: { records },
        after: null,
        dangers: ['zone_goes', ...(delegated ? ['name_servers_stay'] : []), ...(changes > 0 ? ['changed_since_created'] : [])],
        calls: 1,
        work: { remove: position, changes } satisfies ZoneWork,
      },
    }
  })
  return [...plans, ...planLost(done, ({ position }) => known.has(position), 'not_found')]
}

/** Runs the plan of `planRestore` or `planRemoval`. */
export const undoZone = (ctx: Ctx, item: RunItem, undoOf: string, work: ZoneWork, signal: AbortSignal): Promise<Outcome> =>
  'restore' in work ? restore(ctx, item, undoOf, work.restore, signal) : removeCreated(ctx, item, undoOf, work)

async function removeCreated(ctx: Ctx, item: RunItem, undoOf: string, work: Extract<ZoneWork, { remove: number }>): Promise<Outcome> {
  const { domainId, attempt } = item
  if (domainId === null) throw new AppError('not_found')
  try {
    const zone = await openZone(ctx, domainId, 'manage')
    if ((await countChanges(ctx.db, zone.id, undoOf)) !== work.changes) return { state: 'skipped', code: 'changed_since' }
    await removeZone(ctx, { id: zone.id }, 'bulk')
  } catch (error) {
    // An earlier attempt took effect.
    if (attempt === 1 || !(error instanceof AppError) || error.code !== 'not_found') throw error
  }
  await markUndoneAt(ctx.db, undoOf, work.remove)
  return { state: 'done' }
}

/** The missing records, except those that the panel cannot write. */
function missingOf(
  kept: readonly DnsRecord[],
  there: readonly DnsRecord[],
  zoneName: string,
): { creates: { record: RecordInput }[]; refused: number } {
  const keyOf = ({ type, name, content, priority }: DnsRecord) =>
    JSON.stringify([type, name, priority, comparableContent(type, content, zoneName)])
  const known = new Set(there.map(keyOf))
  let refused = 0
  const creates = kept
    .filter((record) => !known.has(keyOf(record)))
    .flatMap((before) => {
      const type = recordType.safeParse(before.type)
      const record = type.success ? inputOf({ ...before, type: type.data }) : null
      if (record !== null && checkRecord(record, zoneName).record !== null) return [{ record }]
      refused += 1
      return []
    })
  return { creates, refused }
}

async function restore(ctx: Ctx, item: RunItem, undoOf: string, position: number, signal: AbortSignal): Promise<Outcome> {
  const kept = keptZone.parse(await findResult(ctx.db, undoOf, position))
  const history = { source: 'revert', batchId: item.operationId } as const
  const options = { ...history, priority: 'bulk' } as const
  const { settings } = kept
  const added = await addZone(
    ctx,
    {
      domainName: item.name,
      accountId: item.accountId,
      ipAddress: null,
      profileId: null,
      createWww: false,
      enableProxy: false,
      sslMode: settings.ssl ?? 'flexible',
      alwaysHttps: settings.alwaysUseHttps ?? false,
    },
    { ...options, signal },
  )
  const [problem] = added.problems
  if (problem !== undefined) throw problem.error
  const { id } = added.zone

  await refreshPart(ctx, added.zone, 'records', { priority: 'bulk' })
  const zone = await openZone(ctx, id)
  const { creates, refused } = missingOf(kept.records, (await listMirror(ctx.db.orm, id)).records, zone.name)
  if (creates.length > 0) {
    const { error } = await applyRecordChanges(ctx, zone, { creates }, options)
    if (error !== null) throw error
  }

  await refreshPart(ctx, zone, 'settings', { priority: 'bulk' })
  const now = (await listDomainSettings(ctx, [id])).get(id)
  const patch = now === undefined ? settings : differing(now, transferable(now, settings))
  // New zones have it on by default; a value unknown to the mirror is not sent.
  if (patch.universalSsl === true && now?.universalSsl !== false) delete patch.universalSsl
  if (Object.keys(patch).length > 0) {
    const [first] = (await applySettings(ctx, zone, patch, options)).refused
    if (first !== undefined) throw first.error
  }
  if (kept.paused && !zone.paused) await pauseZone(ctx, { id, paused: true }, history)
  // The group or registrar may have been deleted in the meantime.
  const ifThere = (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
  }
  if (kept.groupId !== null) await setGroup(ctx, { id, groupId: kept.groupId }, history).then(() => undefined, ifThere)
  if (kept.registrarId !== null) await attachToRegistrar(ctx, { id, registrarId: kept.registrarId }, history).catch(ifThere)
  if (kept.profileId !== null) await saveProfileId(ctx.db, id, kept.profileId)
  if (refused > 0) throw new AppError('validation_failed', { params: { records: refused } })
  await markUndoneAt(ctx.db, undoOf, position)
  return { state: 'done', result: { zoneId: id, nameServers: zone.nameServers } }
}
