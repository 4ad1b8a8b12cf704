import { Button } from '@mantine/core'
import { IconArrowLeft, IconLock, IconRefresh } from '@tabler/icons-react'
import { Link, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SharedProvider, useLock } from '#client/features/sharing/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { failureOf } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { CopyButton } from '#client/ui/display/copy-button.tsx'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge, StatusDot } from '#client/ui/display/state-badge.tsx'
import { CopyLink } from '../copy-link.tsx'
import { Marks } from '../list/domain-cells.tsx'
import { OpenSite } from '../open-site.tsx'
import { statusTone, useDomainWords } from '../use-domain-words.ts'
import { ZoneRefresh, readAtOf, useRefresh, type Refresh } from './mutations.ts'
import { useZone } from './queries.ts'
import { TabBar } from '#client/ui/layout/tab-bar.tsx'
import tabs from '#client/ui/layout/tabs.module.css'
import backs from '#client/ui/layout/back-link.module.css'
import classes from './zone-frame.module.css'

/** The frame of a domain's pages: name and state, freshness, and tabs. */
export function ZoneFrame({ id }: { id: string }) {
  const { t } = useTranslation('domains')
  const details = useZone(id)
  const refresh = useRefresh(id, details.isPlaceholderData ? undefined : details.data?.zone)
  useLiveQueries('domains')
  const failure = details.error === null ? null : failureOf(details.error)
  const absent = failure?.kind === 'answered' && (failure.data.code === 'not_found' || failure.data.code === 'validation_failed')
  return (
    <>
      <Link to="/domains" className={`inline self-start size-13 muted radius-s hover-primary ${backs['back']}`}>
        <IconArrowLeft size={14} aria-hidden />
        {t('details.back')}
      </Link>
      {absent ? (
        <EmptyState
          picture="lost"
          heading="h1"
          title={t('details.not_found')}
          text={t('details.not_found_text')}
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/domains" {...props} />}>
              {t('details.back')}
            </Button>
          }
        />
      ) : details.data ? (
        <SharedProvider value={details.data.zone.shared}>
          <ZoneRefresh value={refresh}>
            <Head zone={details.data.zone} seeded={details.isPlaceholderData} refresh={refresh} />
            <Tabs zone={details.data.zone} />
            {details.data.zone.shared?.level === 'view' ? <ViewOnly by={details.data.zone.shared.by} /> : null}
            {refresh.failure === null ? null : <Unread words={refresh.failure} />}
            <Outlet />
          </ZoneRefresh>
        </SharedProvider>
      ) : details.isError ? (
        <ErrorState error={details.error} onRetry={() => void details.refetch()} />
      ) : (
        <div className={`row ${classes['titleSkeleton']}`}>
          <Skeleton width={260} height={20} />
        </div>
      )}
    </>
  )
}

/** Why changes are disabled. */
function ViewOnly({ by }: { by: string }) {
  const { t } = useTranslation('zone')
  return (
    <p className={`flex gap-8 size-13 radius mb-16 p-8-12 ${classes['viewOnly']}`}>
      <IconLock size={15} stroke={1.8} aria-hidden />
      <span>{t('view_only', { name: by })}</span>
    </p>
  )
}

/** Why all shown data is outdated. */
function Unread({ words }: { words: readonly string[] }) {
  const { t } = useTranslation('zone')
  return (
    <div className={`warn on-warn flex gap-8 size-13 radius mb-16 p-8-12 ${classes['unread']}`} role="status">
      <StatusDot tone="warn" />
      <span>
        {t('refresh_failed')}
        <small className="block size-12 secondary">{words.join(' ')}</small>
      </span>
    </div>
  )
}

function Head({ zone, seeded, refresh }: { zone: DomainDetails; seeded: boolean; refresh: Refresh }) {
  const { t } = useTranslation(['domains', 'zone'])
  const words = useDomainWords()
  const locked = useLock()('operate')
  return (
    <PageHeader
      title={zone.displayName}
      meta={
        <span className={`inline wrap ${classes['meta']}`}>
          <StateBadge tone={zone.gone ? 'idle' : statusTone[zone.status]} label={words.status(zone)} />
          {zone.displayName === zone.name ? null : <span className="mono">{zone.name}</span>}
          <Marks domain={zone} named />
        </span>
      }
      actions={
        <>
          {seeded ? null : <Freshness at={readAtOf(zone)} updating={refresh.running} />}
          <CopyButton text={zone.displayName} label={t('actions.copy_name')} size={28} />
          <CopyLink domain={zone} size={28} />
          <OpenSite domain={zone} size={28} />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} stroke={1.7} className={classes['icon']} />}
            className={classes['refresh'] ?? ''}
            data-running={refresh.running || undefined}
            title={locked ?? t('zone:refresh_hint')}
            disabled={locked !== null}
            onClick={refresh.run}
          >
            <span className={classes['refreshWord']}>{t('zone:refresh')}</span>
          </Button>
        </>
      }
    />
  )
}

function Tabs({ zone: { id, recordsCount, rulesCount } }: { zone: DomainDetails }) {
  const { t } = useTranslation('zone')
  const own = { params: { id }, className: tabs['tab'] ?? '', activeProps: { 'aria-current': 'page' as const } }
  return (
    <TabBar label={t('tabs.label')} className="mb-16">
      <Link to="/domains/$id" {...own} activeOptions={{ exact: true }}>
        {t('tabs.overview')}
      </Link>
      <Link to="/domains/$id/records" {...own}>
        {t('tabs.records')}
        {recordsCount === null ? null : <small>{formatNumber(recordsCount)}</small>}
      </Link>
      <Link to="/domains/$id/security" {...own}>
        {t('tabs.security')}
      </Link>
      <Link to="/domains/$id/rules" {...own}>
        {t('tabs.rules')}
        <small className={tabs['later']}>{rulesCount === null ? null : formatNumber(rulesCount)}</small>
      </Link>
      <Link to="/domains/$id/health" {...own}>
        {t('tabs.health')}
      </Link>
      <Link to="/domains/$id/history" {...own}>
        {t('tabs.history')}
      </Link>
    </TabBar>
  )
}
