import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { MonitoringTab } from '#client/features/monitoring/index.ts'
import { TrackersTab } from '#client/features/trackers/index.ts'
import { auth } from '#client/lib/auth.ts'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { GeneralTab } from './general-tab.tsx'
import { parseSettingsSearch, settingsTabs, type SettingsTab } from './search.ts'
import { SecurityTab } from './security-tab.tsx'
import { SystemTab } from './system-tab.tsx'
import { TabBar } from '#client/ui/layout/tab-bar.tsx'
import tabLook from '#client/ui/layout/tabs.module.css'
import classes from './settings.module.css'

const route = getRouteApi('/_app/settings')
const parts = {
  general: GeneralTab,
  security: SecurityTab,
  system: SystemTab,
  monitoring: MonitoringTab,
  trackers: TrackersTab,
} as const satisfies Record<SettingsTab, unknown>

/** Settings of the panel for administrators; the system state, monitoring and trackers for all users. */
export function SettingsPage() {
  const { t } = useTranslation('settings')
  const search = parseSettingsSearch(route.useSearch())
  const tabs = auth.use().user?.role === 'admin' ? settingsTabs : (['system', 'monitoring', 'trackers'] as const)
  const tab = tabs.find((each) => each === search.tab) ?? tabs[0]
  const Part = parts[tab]
  return (
    <div className={classes['page']}>
      <PageHeader title={t('title')} />
      <TabBar label={t('tabs.label')} className={classes['tabs']}>
        {tabs.map((each) => (
          <Link
            key={each}
            to="/settings"
            search={each === 'general' ? {} : { tab: each }}
            activeOptions={{ exact: true, includeSearch: true }}
            className={tabLook['tab']}
          >
            {t(`tabs.${each}`)}
          </Link>
        ))}
      </TabBar>
      <Suspense>
        <Part />
      </Suspense>
    </div>
  )
}
