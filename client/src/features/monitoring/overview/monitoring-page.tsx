import { Button } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { MessagesTab } from '#client/features/alerts/index.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { formatDuration, formatNumber } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { HeaderButton } from '#client/ui/layout/header-button.tsx'
import { OwnershipFilters } from '#client/ui/filter/ownership-filters.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { TabBar } from '#client/ui/layout/tab-bar.tsx'
import tabLook from '#client/ui/layout/tabs.module.css'
import { useEverybody } from '#client/lib/owner-choice.tsx'
import { monitoringTabs, parseMonitoringSearch, type ChangeSearch, type MonitoringSearch, type MonitoringTabId } from '../search.ts'
import { CertificatesTab } from './certificates-tab.tsx'
import { IncidentsTab } from './incidents-tab.tsx'
import { NowTab } from './now-tab.tsx'
import classes from '../monitoring.module.css'

const route = getRouteApi('/_app/monitoring')

/** Current problems, incidents, certificates and messages. */
export function MonitoringPage() {
  const { t } = useTranslation('monitoring')
  const search = parseMonitoringSearch(route.useSearch())
  const navigate = route.useNavigate()
  const { owner } = search
  const { everybody } = useEverybody()
  const overview = trpc.monitoring.overview.useQuery({ ...(owner && { ownerId: owner }) }, { refetchInterval: 30_000 })
  useLiveQueries('monitoring')
  const { tab = 'now' } = search
  const overviewData = overview.data
  const change: ChangeSearch = (part) => void navigate({ replace: true, search: (before) => parseMonitoringSearch({ ...before, ...part }) })
  const untouched =
    owner === undefined &&
    search.incident === undefined &&
    overviewData !== undefined &&
    overviewData.watched === 0 &&
    !overviewData.enabled &&
    overviewData.openIncidents === 0
  return (
    <div className={classes['page']}>
      <PageHeader
        title={t('title')}
        meta={
          overviewData?.watched === 0
            ? undefined
            : [
                t('watched', {
                  count: overviewData?.watched ?? 0,
                  formatted: overviewData === undefined ? '…' : formatNumber(overviewData.watched),
                }),
                t('every', { time: formatDuration((overviewData?.checkInterval ?? 5) * 60) }),
              ].join(' · ')
        }
        pending={overviewData === undefined}
        actions={
          <>
            <OwnershipFilters
              search={{ owner }}
              owners={everybody}
              shared={false}
              onChange={(part) => change({ owner: 'owner' in part ? part.owner : undefined })}
            />
            <HeaderButton
              icon={IconSettings}
              words={t('to_settings')}
              renderRoot={(props) => <Link to="/settings" search={{ tab: 'monitoring' }} {...props} />}
            />
          </>
        }
      />
      {untouched ? (
        <EmptyState
          picture="empty"
          title={t('off.title')}
          text={t('off.text')}
          action={
            <Button renderRoot={(props) => <Link to="/settings" search={{ tab: 'monitoring' }} {...props} />}>{t('off.action')}</Button>
          }
        />
      ) : overview.isError && overviewData === undefined ? (
        <ErrorState title={t('failed.load')} error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <>
          <TabBar label={t('tabs.label')} className="mb-16">
            {monitoringTabs.map((each) => (
              <Link
                key={each}
                to="/monitoring"
                search={{ ...(owner && { owner }), ...(each !== 'now' && { tab: each }) }}
                activeOptions={{ exact: true, includeSearch: true }}
                {...(each === tab && { 'aria-current': 'page' })}
                className={tabLook['tab']}
              >
                {t(`tabs.${each}`)}
                {each === 'incidents' && overviewData !== undefined && overviewData.openIncidents > 0 ? (
                  <small>{formatNumber(overviewData.openIncidents)}</small>
                ) : null}
              </Link>
            ))}
          </TabBar>
          <Part tab={tab} search={search} change={change} />
        </>
      )}
    </div>
  )
}

function Part({ tab, search, change }: { tab: MonitoringTabId; search: MonitoringSearch; change: ChangeSearch }) {
  switch (tab) {
    case 'now':
      return <NowTab owner={search.owner} />
    case 'incidents':
      return <IncidentsTab search={search} change={change} />
    case 'certificates':
      return <CertificatesTab search={search} change={change} />
    case 'messages':
      return <MessagesTab search={search} change={change} />
  }
}
