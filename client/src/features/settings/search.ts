import { compact, searchParams } from '#client/lib/search-params.ts'

export const settingsTabs = ['general', 'security', 'system', 'monitoring', 'trackers'] as const
export type SettingsTab = (typeof settingsTabs)[number]

/** What the settings keep in their address. */
interface SettingsSearch {
  /** Absent: the first that the person may see. */
  tab?: Exclude<SettingsTab, 'general'>
}

export const parseSettingsSearch = (raw: unknown): SettingsSearch =>
  compact<SettingsSearch>({ tab: searchParams(raw).oneOf('tab', ['security', 'system', 'monitoring', 'trackers']) })
