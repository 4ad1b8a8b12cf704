import { Button } from '@mantine/core'
import { IconRefresh, IconSettings } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { codeWords } from '#client/lib/errors.ts'
import { counted } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { HeaderButton } from '#client/ui/layout/header-button.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { TabBar } from '#client/ui/layout/tab-bar.tsx'
import { ReconcileTab } from './reconcile/reconcile-tab.tsx'
import { ReserveTab } from './reserve/reserve-tab.tsx'
import { parseTrackersSearch, trackersTabs, type ChangeSearch } from './search.ts'
import { useTrackerActions } from './mutations.ts'
import tabLook from '#client/ui/layout/tabs.module.css'
import classes from './trackers.module.css'

const route = getRouteApi('/_app/trackers')

/** The comparison of trackers, Cloudflare and registrars, and the reserve. */
export function TrackersPage() {
  const { t } = useTranslation('trackers')
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const search = parseTrackersSearch(route.useSearch())
  const navigate = route.useNavigate()
  const list = trpc.trackers.list.useQuery({})
  const { sync } = useTrackerActions()
  useLiveQueries('trackers')
  const trackers = list.data?.trackers
  const { tab = 'reconcile' } = search
  const change: ChangeSearch = (part) => void navigate({ replace: true, search: (before) => parseTrackersSearch({ ...before, ...part }) })
  const on = trackers?.filter(({ enabled }) => enabled) ?? []
  const readable = on.filter(({ shared }) => allows(shared, 'operate'))
  const reading = on.filter(({ sync: { state } }) => state === 'running' || state === 'queued').length
  const oldest = on.map(({ sync: { syncedAt } }) => syncedAt).toSorted((one, other) => (one ?? '').localeCompare(other ?? ''))[0] ?? null
  const untouched = trackers?.length === 0
  return (
    <div className={`column grow ${classes['page']}`}>
      <PageHeader
        title={t('title')}
        meta={on.length === 0 ? undefined : <Freshness at={oldest} updating={reading > 0} reading={t('page.reading', counted(reading))} />}
        actions={
          <>
            {readable.length === 0 ? null : (
              <HeaderButton
                icon={IconRefresh}
                words={t('page.read')}
                onClick={() => {
                  for (const { id } of readable) sync.mutate({ id })
                }}
              />
            )}
            <HeaderButton
              icon={IconSettings}
              words={t('page.to_settings')}
              renderRoot={(props) => <Link to="/settings" search={{ tab: 'trackers' }} {...props} />}
            />
          </>
        }
      />
      {list.isError && trackers === undefined ? (
        <ErrorState title={t('failed.load')} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <TabBar label={t('tabs.label')} className="mb-16">
            {trackersTabs.map((each) => (
              <Link
                key={each}
                to="/trackers"
                search={each === 'reconcile' ? {} : { tab: each }}
                activeOptions={{ exact: true, includeSearch: true }}
                {...(each === tab && { 'aria-current': 'page' })}
                className={tabLook['tab']}
              >
                {t(`tabs.${each}`)}
              </Link>
            ))}
          </TabBar>
          {tab === 'reserve' ? (
            <ReserveTab search={search} change={change} />
          ) : untouched ? (
            <EmptyState
              picture="key"
              title={t('page.empty_title')}
              text={t('page.empty_text')}
              action={
                <Button renderRoot={(props) => <Link to="/settings" search={{ tab: 'trackers' }} {...props} />}>
                  {t('page.empty_action')}
                </Button>
              }
            />
          ) : (
            <>
              <Failures trackers={on} />
              <ReconcileTab trackers={trackers ?? []} search={search} change={change} />
            </>
          )}
        </>
      )}
    </div>
  )
}

/** Trackers that failed to sync, with their messages: the comparison may be outdated. */
function Failures({ trackers }: { trackers: readonly Tracker[] }) {
  const { t } = useTranslation('trackers')
  const failed = trackers.filter(({ sync }) => sync.errorCode !== null)
  if (failed.length === 0) return null
  return (
    <div className="column gap-4 size-13 warn anywhere mb-12" role="status">
      {failed.map(({ id, name, sync }) => (
        <p key={id}>{sentences(t('page.failed', { name }), codeWords(sync.errorCode ?? ''), sync.errorMessage)}</p>
      ))}
    </div>
  )
}
