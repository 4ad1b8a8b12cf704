export const settingsTabs = ['general', 'security', 'system'] as const
export type SettingsTab = (typeof settingsTabs)[number]

/** What the settings keep in their address. */
export interface SettingsSearch {
  /** The first that the person may see, if absent. */
  tab?: SettingsTab
}

/** Reads anything at all; what is not understood is left out. */
export function parseSettingsSearch(raw: unknown): SettingsSearch {
  const asked = typeof raw === 'object' && raw !== null && 'tab' in raw ? raw.tab : undefined
  const tab = settingsTabs.find((each) => each === asked)
  return tab === undefined ? {} : { tab }
}
