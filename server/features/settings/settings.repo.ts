import type { Queryable } from '#server/db/client.ts'
import { panelSettings } from '#server/db/schema/index.ts'

/** What was ever set, by name. */
export async function listStored(db: Queryable): Promise<Record<string, unknown>> {
  const rows = await db.select({ key: panelSettings.key, value: panelSettings.value }).from(panelSettings)
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}
