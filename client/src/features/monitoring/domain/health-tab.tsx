import { Button } from '@mantine/core'
import { IconBellOff, IconChevronDown, IconPlayerPause, IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAllowed, useLock } from '#client/features/sharing/index.ts'
import type { DomainHealth, WatchedView } from '#shared/features/monitoring/reports.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { joinFacts } from '#client/lib/text.ts'
import { counted, formatDate, formatDateTime, formatDuration, formatNumber } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge, StatusDot } from '#client/ui/display/state-badge.tsx'
import { CheckHistoryBar } from '../check-history-bar.tsx'
import { LengthSince } from '../incident-length.tsx'
import { ReasonList } from '../reason-list.tsx'
import { formatLength, formatUptime, healthTone, uptimeTone, viewTone } from '../format.ts'
import { useReasonWords } from '../use-reason-words.ts'
import { useWatching } from '../mutations.ts'
import { WatchItems } from '../watch-menu.tsx'
import { DomainIncidents } from './domain-incidents.tsx'
import { HealthSection } from './health-section.tsx'
import { uptimeFigures } from './uptime-figures.ts'
import { ResponseSection } from './response-section.tsx'
import figures from '#client/ui/chart/figures.module.css'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import classes from '../monitoring.module.css'

type Watched = NonNullable<DomainHealth['watched']>

/** The health of one domain by region, in figures and over time (R-MON-05). */
export function HealthTab({ domainId }: { domainId: string }) {
  const { t } = useTranslation('monitoring')
  const health = trpc.monitoring.ofDomain.useQuery({ id: domainId }, { refetchInterval: 30_000 })
  useLiveQueries('monitoring')
  const own = useAllowed('own')
  if (health.data === undefined) {
    return health.isError ? (
      <ErrorState title={t('failed.load')} error={health.error} onRetry={() => void health.refetch()} />
    ) : (
      <div className={`column gap-28 ${classes['wait']}`} role="status" aria-busy>
        <span className="sr-only">{t('loading')}</span>
        <Skeleton width="40%" height={20} />
        <Skeleton width="100%" height={96} />
      </div>
    )
  }
  const { watched } = health.data
  if (watched === null) {
    return (
      <EmptyState
        picture="empty"
        title={t('domain.unwatched')}
        text={t(own ? 'domain.unwatched_text' : 'domain.unwatched_theirs')}
        action={
          own ? (
            <Button variant="default" renderRoot={(props) => <Link to="/settings" search={{ tab: 'monitoring' }} {...props} />}>
              {t('to_settings')}
            </Button>
          ) : undefined
        }
      />
    )
  }
  return (
    <div className={`column gap-12 ${classes['health']}`}>
      <State domainId={domainId} watched={watched} />
      <Uptime watched={watched} />
      <Views watched={watched} />
      <ResponseSection domainId={domainId} regions={watched.regions} />
      <div className={`grid gap-12 start ${classes['twins']}`}>
        <Certificate watched={watched} />
        <DomainIncidents domainId={domainId} />
      </div>
    </div>
  )
}

function State({ domainId, watched }: { domainId: string; watched: Watched }) {
  const { t } = useTranslation('monitoring')
  const locked = useLock()('operate')
  const { check, busy } = useWatching()
  const { health, reasons, since, pausedUntil, mutedUntil, views } = watched
  const waiting = views.some(({ wanted }) => wanted)
  const until = (at: string): string => (at === 'forever' ? t('until_resumed') : t('until', { at: formatDateTime(at) }))
  return (
    <section
      className={`column card gap-12 p-14-16 ${classes['stateBox']}`}
      data-tone={pausedUntil === null ? healthTone[health] : 'idle'}
      aria-labelledby="health-state"
    >
      <div className="row wrap gap-8-12">
        <h2 id="health-state">
          <StateBadge
            tone={pausedUntil === null ? healthTone[health] : 'idle'}
            label={pausedUntil === null ? t(`domain.${health}`) : t('domain.paused')}
          />
        </h2>
        {since === null || pausedUntil !== null ? null : (
          <span className="size-12 muted">
            {t('domain.for')} <LengthSince at={since} />
          </span>
        )}
        <div className={`flex wrap gap-8 push ${classes['stateActions']}`}>
          <Button
            variant="default"
            size="xs"
            loading={busy || waiting}
            disabled={locked !== null || pausedUntil !== null}
            title={locked ?? undefined}
            leftSection={<IconRefresh size={14} stroke={1.7} aria-hidden />}
            onClick={() => check([domainId])}
          >
            {t('actions.check')}
          </Button>
          <MenuButton
            position="bottom-end"
            button={
              <Button
                variant="default"
                size="xs"
                disabled={locked !== null}
                title={locked ?? undefined}
                rightSection={<IconChevronDown size={13} stroke={1.8} aria-hidden />}
              >
                {t('actions.quiet')}
              </Button>
            }
          >
            {(Menu) => (
              <>
                <WatchItems menu={Menu} id={domainId} muted={mutedUntil !== null} paused={pausedUntil !== null} />
              </>
            )}
          </MenuButton>
        </div>
      </div>
      {pausedUntil === null ? null : (
        <p className="flex wrap size-12 secondary gap-4-16">
          <span className="inline gap-6">
            <IconPlayerPause size={14} stroke={1.7} aria-hidden />
            {t('domain.paused_until', { until: until(pausedUntil) })}
          </span>
        </p>
      )}
      {mutedUntil === null ? null : (
        <p className="flex wrap size-12 secondary gap-4-16">
          <span className="inline gap-6">
            <IconBellOff size={14} stroke={1.7} aria-hidden />
            {t('domain.muted_until', { until: until(mutedUntil) })}
          </span>
        </p>
      )}
      {reasons.length === 0 || pausedUntil !== null ? null : <ReasonList reasons={reasons} />}
    </section>
  )
}

function Uptime({ watched }: { watched: Watched }) {
  const { t } = useTranslation('monitoring')
  return (
    <dl className={figures['figures']} aria-label={t('uptime.title')}>
      {uptimeFigures(watched).map(({ range, uptime, observedMs }) => (
        <div key={range}>
          <dt>{t(`uptime.${range}`)}</dt>
          <dd>
            <StatusDot tone={uptimeTone(uptime)} />
            {formatUptime(uptime)}
          </dd>
          <dd>
            {observedMs !== null
              ? t('uptime.observed', { length: formatLength(observedMs) })
              : uptime === null
                ? t('uptime.not_observed')
                : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Views({ watched: { views, intervalSeconds } }: { watched: Watched }) {
  const { t } = useTranslation('monitoring')
  return (
    <HealthSection
      title={t('views.title')}
      note={<span className="size-12 muted">{t('every', { time: formatDuration(intervalSeconds) })}</span>}
    >
      <ul className={`column gap-10 ${classes['views']}`}>
        {views.map((view) => (
          <View key={view.region} view={view} />
        ))}
      </ul>
    </HealthSection>
  )
}

function View({ view }: { view: WatchedView }) {
  const { t } = useTranslation('monitoring')
  const words = useReasonWords()
  const { region, state, checkedAt, status, timings, findings, beats } = view
  const name = t(`region.${region}`)
  const [finding] = findings
  const blind = finding?.code === 'no_probe'
  return (
    <li>
      <span className="row gap-8">
        <StatusDot
          tone={blind ? 'idle' : state === 'up' && findings.length > 0 ? 'warn' : viewTone[state]}
          label={t(`views.${blind ? 'unknown' : state}`)}
        />
        <strong className="medium">{name}</strong>
      </span>
      <span className={`clip size-12 secondary pretty numeric ${classes['viewFacts']}`}>
        {finding !== undefined && (blind || state !== 'unknown')
          ? words(finding).what
          : checkedAt === null
            ? t('views.never')
            : joinFacts(
                status === null ? null : t('views.status', { status }),
                timings.totalMs === null ? null : t('ms', { ms: formatNumber(timings.totalMs) }),
              ) || t(`views.${state}`)}
      </span>
      <CheckHistoryBar beats={beats} label={name} />
      <span className={`size-12 muted text-end ${classes['viewTime']}`}>{checkedAt === null ? '—' : <RelativeTime at={checkedAt} />}</span>
    </li>
  )
}

const dayMs = 86_400_000

function Certificate({ watched: { certificate } }: { watched: Watched }) {
  const { t } = useTranslation('monitoring')
  if (certificate === null) {
    return (
      <HealthSection title={t('certificate.title')}>
        <p className="size-12 muted">{t('certificate.none')}</p>
      </HealthSection>
    )
  }
  const days = Math.floor((Date.parse(certificate.notAfter) - Date.now()) / dayMs)
  return (
    <HealthSection title={t('certificate.title')}>
      <dl className="facts">
        <dt>{t('certificate.ends')}</dt>
        <dd className="row wrap gap-8">
          <StatusDot tone={days < 7 ? 'bad' : days < 30 ? 'warn' : 'good'} />
          {formatDate(certificate.notAfter)}{' '}
          <span className="size-12 muted">{days < 0 ? t('certificate.over') : t('certificate.left', counted(days))}</span>
        </dd>
        <dt>{t('certificates.issuer')}</dt>
        <dd>
          <bdi>{certificate.issuer}</bdi>
        </dd>
        <dt>{t('certificate.begins')}</dt>
        <dd>{formatDate(certificate.notBefore)}</dd>
        <dt>{t('certificates.trusted')}</dt>
        <dd className="row wrap gap-8">
          <StatusDot tone={certificate.trusted ? 'good' : 'bad'} />
          {t(certificate.trusted ? 'certificates.yes' : 'certificates.no')}
        </dd>
        <dt>{t('certificate.names')}</dt>
        <dd className="size-12 mono">{certificate.names.slice(0, 8).join(', ')}</dd>
      </dl>
    </HealthSection>
  )
}
