import {
  findDetail,
  replaceRecords,
  updateSettings,
  updateZoneRead,
  upsertZones,
  zoneRowOf,
} from '#server/features/domains/mirror/index.ts'
import type { Services } from '#server/platform/context.ts'
import type { CallOptions, HostConnection, HostedZone } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DomainId, ProviderZoneId } from '#shared/ids.ts'
import { readDetail } from './read-detail.ts'
import { advanceDetails } from './sync.repo.ts'

interface RefreshedZone {
  readonly id: DomainId
  readonly providerZoneId: ProviderZoneId
  readonly accountId: string
  readonly connection: HostConnection
}

/**
 * Reads one part of a zone now and writes it as a sync would.
 * @throws AppError of the provider
 */
export async function refreshPart(
  { db }: Pick<Services, 'db'>,
  zone: RefreshedZone,
  part: 'zone' | 'records' | 'settings',
  call: CallOptions,
): Promise<void> {
  if (part === 'zone') {
    await upsertZones(db, zone.accountId, [zoneRowOf(await zone.connection.getZone(zone.providerZoneId, call))])
    await updateZoneRead(db, zone.id)
    return
  }
  // Loaded before the reading, so that a part that becomes due meanwhile stays due.
  const item = await findDetail(db, zone.id, part)
  if (item === null) throw new AppError('not_found')
  const read = await readDetail(zone.connection, item, call)
  if (read.part === 'settings') return updateSettings(db, [read])
  await replaceRecords(db, [read])
  await advanceDetails(db, zone.id)
}

/** Writes a zone that has just been created or read. False if the account no longer exists. */
export async function writeZone({ db }: Pick<Services, 'db'>, accountId: string, zone: HostedZone): Promise<boolean> {
  return (await upsertZones(db, accountId, [zoneRowOf(zone)])).present
}
