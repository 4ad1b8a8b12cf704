import type { Database } from '#server/db/client.ts'
import { createBatchLoader } from '#server/platform/batch-loader.ts'
import type { ProfileRule } from '#shared/features/profiles/schema.ts'
import { findRulesOfVersion, listProfileIds } from './profiles.repo.ts'

/** Domains of an operation have one profile and one owner. */
const createLookups = (db: Database) => ({
  /** By the id of a profile and a version. */
  rules: createBatchLoader<string, readonly ProfileRule[] | null>(500, (keys) =>
    findEach(keys, (key) => {
      const [profileId = '', version] = key.split(' ')
      return findRulesOfVersion(db.orm, profileId, Number(version))
    }),
  ),
  /** All profiles of an owner. */
  ids: createBatchLoader<string, ReadonlySet<string>>(500, (owners) => findEach(owners, (ownerId) => listProfileIds(db.orm, ownerId))),
})
/** Finds the same key once. */
function findEach<T>(keys: readonly string[], find: (key: string) => Promise<T>): Promise<T[]> {
  const found = new Map<string, Promise<T>>()
  for (const key of keys) if (!found.has(key)) found.set(key, find(key))
  return Promise.all(keys.flatMap((key) => found.get(key) ?? []))
}
const lookups = new WeakMap<Database, ReturnType<typeof createLookups>>()
/** Queries of many domains at about the same time are batched. */
export function lookUpProfile(db: Database): ReturnType<typeof createLookups> {
  const known = lookups.get(db) ?? createLookups(db)
  lookups.set(db, known)
  return known
}
