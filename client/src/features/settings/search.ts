export const settingsTabs = ['general', 'security', 'system', 'monitoring', 'trackers'] as const
export type SettingsTab = (typeof settingsTabs)[number]

/** What the settings keep in their address. */
interface SettingsSearch {
  /** Absent: the first that the person may see. */
  tab?: Exclude<SettingsTab, 'general'>
}

/** Reads anything at all; what is not understood is left out. */
export function parseSettingsSearch(raw: unknown): SettingsSearch {
  const tab = typeof raw === 'object' && raw !== null && 'tab' in raw ? raw.tab : undefined
  return tab === 'security' || tab === 'system' || tab === 'monitoring' || tab === 'trackers' ? { tab } : {}
}
