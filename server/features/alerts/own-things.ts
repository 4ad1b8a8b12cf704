import type { Queryable } from '#server/db/client.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { countOwnGroups, countOwnZones } from './windows.repo.ts'

/** @throws AppError not_found where one is not there or somebody else's */
export async function requireOwnGroups(db: Queryable, ownerId: string, groupIds: readonly string[] | null): Promise<void> {
  const wanted = [...new Set(groupIds ?? [])]
  if (wanted.length > 0 && (await countOwnGroups(db, ownerId, wanted)) !== wanted.length) throw new AppError('not_found')
}

/** @throws AppError not_found where one is not there or somebody else's */
export async function requireOwnZones(db: Queryable, ownerId: string, zoneIds: readonly string[] | null): Promise<void> {
  const wanted = [...new Set(zoneIds ?? [])]
  if (wanted.length > 0 && (await countOwnZones(db, ownerId, wanted)) !== wanted.length) throw new AppError('not_found')
}
