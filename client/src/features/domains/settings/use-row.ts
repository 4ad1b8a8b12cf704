import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { SettingKey } from '#shared/features/domains/settings/schema.ts'
import { useSetting } from './mutations.ts'
import type { ZoneSettings } from './queries.ts'

/** A setting with the parts common to all rows. */
export function useRow<K extends SettingKey>(zone: ZoneSettings, key: K, given: Parameters<typeof useSetting<K>>[2]) {
  const { value, locked, question, change } = useSetting(zone, key, given)
  const changedAt = zone.settings.values[settingCatalog[key].id]?.modifiedOn ?? null
  // A setting that the plan lacks has no value to read.
  const unread = value === null && zone.settings.values[settingCatalog[key].id]?.editable !== false
  return { value, change, disabled: locked !== null, row: { name: given.name, unread, changedAt, locked, question } }
}
