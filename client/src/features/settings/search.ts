import { compact, searchParams } from '#client/lib/search-params.ts'

export const settingsTabs = ['general', 'security', 'system', 'monitoring', 'trackers'] as const
export type SettingsTab = (typeof settingsTabs)[number]

/** The URL parameters of the settings. */
interface SettingsSearch {
  /** Defaults to the first tab that the user can see. */
  tab?: Exclude<SettingsTab, 'general'>
}

export const parseSettingsSearch = (raw: unknown): SettingsSearch =>
  compact<SettingsSearch>({ tab: searchParams(raw).oneOf('tab', ['security', 'system', 'monitoring', 'trackers']) })
