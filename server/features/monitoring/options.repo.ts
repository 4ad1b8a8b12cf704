import { inArray } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { monitorOverrides, monitorSettings } from '#server/db/schema/index.ts'

/** Check options given by owners and groups. */
export async function listGivenOptions(
  db: Queryable,
  ownerIds: readonly string[],
  groupIds: readonly string[],
): Promise<{ readonly owners: ReadonlyMap<string, unknown>; readonly groups: ReadonlyMap<string, unknown> }> {
  const [owners, groups] = await Promise.all([
    ownerIds.length === 0
      ? []
      : db
          .select({ id: monitorSettings.ownerId, given: monitorSettings.options })
          .from(monitorSettings)
          .where(inArray(monitorSettings.ownerId, [...ownerIds])),
    groupIds.length === 0
      ? []
      : db
          .select({ id: monitorOverrides.groupId, given: monitorOverrides.override })
          .from(monitorOverrides)
          .where(inArray(monitorOverrides.groupId, [...groupIds])),
  ])
  const mapOf = (rows: readonly { readonly id: string; readonly given: unknown }[]) => new Map(rows.map(({ id, given }) => [id, given]))
  return { owners: mapOf(owners), groups: mapOf(groups) }
}
