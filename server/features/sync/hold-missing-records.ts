import { listRecordIds, postponeRecords } from '#server/features/domains/mirror/index.ts'
import type { RecordsRead } from '#server/features/domains/mirror/index.ts'
import type { Services } from '#server/platform/context.ts'
import type { CallOptions, HostConnection } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isMassDisappearance, pickSample } from './disappearances/disappearance.policy.ts'
import { holdDisappearance } from './disappearances/hold-disappearance.ts'

/** When records that nobody has decided about are read again. */
const usualSeconds = 6 * 3_600

/**
 * Keeps the stored records of a zone if a reading lacks so many of them that a person has to decide.
 * @returns whether the reading must not be stored
 * @throws AppError of the provider
 */
export async function holdMissingRecords(
  { db, log }: Pick<Services, 'db' | 'log'>,
  connection: HostConnection,
  { id, providerZoneId, recordsCount, records }: RecordsRead,
  call: CallOptions,
): Promise<boolean> {
  const isMass = (known: number) => isMassDisappearance(known - records.length, known)
  // Before their first reading, no records are stored.
  if (recordsCount === null || !isMass(recordsCount)) return false
  const listed = new Set(records.map(({ recordId }) => recordId))
  const stored = await listRecordIds(db.orm, id)
  if (!isMass(stored.length)) return false
  const sample = pickSample(stored.filter((recordId) => !listed.has(recordId)))
  let stillThere = 0
  for (const recordId of sample) if (await exists(connection.getRecord(providerZoneId, recordId, call))) stillThere += 1
  // A change by the panel is stored soon after it was made, which may be in the meantime.
  const left = await listRecordIds(db.orm, id)
  if (!isMass(left.length)) return false
  const keys = left.filter((recordId) => !listed.has(recordId))
  const held = await holdDisappearance(db, { kind: 'zone', id }, { keys, known: left.length, sampled: sample.length, stillThere })
  await postponeRecords(db.orm, id, held.nextSeconds ?? usualSeconds)
  log.warn({ domainId: id, missing: held.missing }, 'too many records are missing from the list of a zone; waiting for a decision')
  return true
}

async function exists(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'provider_not_found') return false
    throw error
  }
}
