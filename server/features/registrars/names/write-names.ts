import type { Queryable } from '#server/db/client.ts'
import { updateFromRegistrar } from '#server/features/domains/mirror/index.ts'
import type { RegisteredName } from '#server/ports/registrar.ts'
import { updateGoneNames, upsertNames } from './registrar-names.repo.ts'

/** Writes a page of the registrar's list and updates the domains of these names. */
export async function writeNames(db: Queryable, registrarId: string, names: readonly RegisteredName[], seenAt: Date): Promise<void> {
  if (names.length === 0) return
  await upsertNames(db, registrarId, names, seenAt)
  await updateFromRegistrar(
    db,
    registrarId,
    names.map(({ name }) => name),
  )
}

/** Marks these names as gone and updates the registrar's domains. @returns how many changed */
export async function markGone(db: Queryable, registrarId: string, names: readonly string[], at: Date): Promise<number> {
  const count = await updateGoneNames(db, registrarId, names, at)
  await updateFromRegistrar(db, registrarId, null)
  return count
}
