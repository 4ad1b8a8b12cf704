import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TabBar } from '#client/ui/layout/tab-bar.tsx'
import tabs from '#client/ui/layout/tabs.module.css'

const own = { className: tabs['tab'] ?? '', activeProps: { 'aria-current': 'page' as const } }

/** What was done in the panel, and what was changed at the provider. */
export function ActivityTabs() {
  const { t } = useTranslation('activity')
  return (
    <TabBar label={t('tabs.label')} className="mb-16">
      <Link to="/activity-logs" {...own} activeOptions={{ exact: true, includeSearch: false }}>
        {t('tabs.panel')}
      </Link>
      <Link to="/activity-logs/changes" {...own}>
        {t('tabs.changes')}
      </Link>
    </TabBar>
  )
}
