import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { mostCounted } from '#shared/features/provider-changes/names.ts'
import { formatNumber } from '#client/lib/format.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc } from '#client/lib/trpc.ts'
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
        <Unreviewed />
      </Link>
    </TabBar>
  )
}

/** How many changes by others wait for a review. */
function Unreviewed() {
  const { t } = useTranslation('activity')
  const changes = trpc.providerChanges.unreviewed.useQuery(undefined, { staleTime: 0 }).data?.changes ?? 0
  useLiveQueries('unreviewedChanges')
  if (changes === 0) return null
  const number = changes >= mostCounted ? `${mostCounted - 1}+` : formatNumber(changes)
  return <small title={t('tabs.unreviewed', { number })}>{number}</small>
}
