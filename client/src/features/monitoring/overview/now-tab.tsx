import { IconBellOff, IconPlayerPause } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isForReview, readCause } from '#shared/features/monitoring/cause.ts'
import type { MonitoringOverview, OpenCause } from '#shared/features/monitoring/reports.ts'
import { auth } from '#client/lib/auth.ts'
import { counted, formatDuration, formatNumber, formatTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Chart, ChartTable } from '#client/ui/chart/chart.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import { Tile, Tiles } from '#client/ui/chart/tile.tsx'
import { IncidentActions } from '../incident-actions.tsx'
import { healthTone, severityOf } from '../format.ts'
import { useCauseTitle } from '../use-cause-title.ts'
import { useReasonWords } from '../use-reason-words.ts'
import links from '#client/ui/display/text-link.module.css'
import classes from '../monitoring.module.css'

const healths = ['critical', 'warnings', 'ok', 'unknown'] as const

/** Current problems grouped by cause, and the state of monitoring itself. */
export function NowTab({ owner }: { owner: string | undefined }) {
  const { t } = useTranslation('monitoring')
  const overview = trpc.monitoring.overview.useQuery({ ...(owner && { ownerId: owner }) })
  const navigate = useNavigate()
  const overviewData = overview.data
  return (
    <>
      <Tiles label={t('tiles')}>
        {healths.map((each) => (
          <Tile
            key={each}
            label={t(`health.${each}`)}
            value={overviewData?.health[each]}
            tone={healthTone[each]}
            pressed={false}
            onPress={() => void navigate({ to: '/domains', search: { health: each, ...(owner && { owner }) } })}
          />
        ))}
      </Tiles>
      {overviewData === undefined ? (
        <Skeleton width={420} height={84} />
      ) : (
        <div className={`grid start ${classes['now']}`}>
          <section aria-labelledby="monitoring-causes" className={classes['causes']}>
            <h2 id="monitoring-causes">{t('causes.title')}</h2>
            {overviewData.causes.length === 0 ? (
              overviewData.watched === 0 ? (
                <EmptyState picture="empty" title={t('causes.soon')} text={t('causes.soon_text')} />
              ) : (
                <EmptyState picture="calm" title={t('causes.none')} text={t('causes.none_text')} />
              )
            ) : (
              <ul className="column gap-8">
                {overviewData.causes.map((cause) => (
                  <Cause key={cause.cause} cause={cause} owner={owner} />
                ))}
              </ul>
            )}
          </section>
          <div className="column gap-12">
            <Regions overview={overviewData} />
            <LastDay hours={overviewData.lastDay} />
            {overviewData.paused + overviewData.muted === 0 ? null : (
              <p className="flex wrap size-12 secondary gap-4-16">
                {overviewData.paused === 0 ? null : (
                  <span className="inline gap-6">
                    <IconPlayerPause size={14} stroke={1.7} aria-hidden />
                    {t('paused', counted(overviewData.paused))}
                  </span>
                )}
                {overviewData.muted === 0 ? null : (
                  <span className="inline gap-6">
                    <IconBellOff size={14} stroke={1.7} aria-hidden />
                    {t('muted', counted(overviewData.muted))}
                  </span>
                )}
              </p>
            )}
          </div>
        </div>
      )}
    </>
  )
}

function Cause({
  cause: { cause, ownerId, name, health, incidents, since, names, reasons },
  owner,
}: {
  cause: OpenCause
  owner: string | undefined
}) {
  const { t } = useTranslation(['monitoring', 'common'])
  const title = useCauseTitle()
  const words = useReasonWords()
  const [reason] = reasons
  const [only] = names
  const overviewData = reason === undefined ? null : words(reason)
  const heading = title(cause, name)
  const { user } = auth.use()
  // Incidents of other users can only be acted on one by one, because the permission differs.
  const whole = user !== null && (user.role === 'admin' || user.id === ownerId)
  const target = { cause, ...(ownerId !== null && { ownerId }) }
  const known = readCause(cause)
  const accountId = known.kind === 'account' ? known.id : null
  const address = known.kind === 'origin' ? known.address : null
  const accounts = trpc.accounts.list.useQuery({}, { enabled: accountId !== null })
  const zones = accounts.data?.accounts.find(({ id }) => id === accountId)?.zonesCount
  return (
    <li className={`card grid size-13 gap-4-12 p-12-16 ${classes['cause']}`} data-tone={healthTone[health]}>
      <StatusDot tone={healthTone[health]} label={t(`severity.${severityOf(health, cause)}`)} />
      <div>
        <h3>
          {incidents === 1 && only?.zoneId != null ? (
            <Link to="/domains/$id/health" params={{ id: only.zoneId }}>
              {heading}
            </Link>
          ) : (
            <Link to="/monitoring" search={{ tab: 'incidents', cause, state: 'open', ...(owner && { owner }) }}>
              {heading}
            </Link>
          )}
        </h3>
        {overviewData === null || overviewData.what === heading ? null : <p>{overviewData.what}</p>}
        <p className={`flex wrap baseline anywhere gap-2-12 ${classes['names']}`}>
          {(accountId === null ? names : []).map((each) => (
            <bdi key={each.zoneId ?? each.name} className="mono">
              {each.displayName}
            </bdi>
          ))}
          {incidents > names.length ? (
            <span className="size-12 muted">{t('common:and_more', counted(incidents - names.length))}</span>
          ) : null}
        </p>
        <p className="size-12 muted">{accountId === null ? overviewData?.advice : t('cause.account_advice')}</p>
        {address === null ? null : (
          <p>
            <Link
              to="/addresses"
              search={{ q: address, move: address, ...(ownerId !== null && { owner: ownerId }) }}
              className={`underlined ${links['link']}`}
            >
              {t('causes.move')}
            </Link>
          </p>
        )}
        {whole ? (
          <p className="flex wrap gap-8">
            <IncidentActions target={target} muted={isForReview(cause) ? null : target} name={heading} />
          </p>
        ) : null}
      </div>
      <span className={`column size-12 muted nowrap ${classes['causeEnd']}`}>
        {accountId === null ? (
          <strong className="medium primary">{t('causes.domains', counted(incidents))}</strong>
        ) : zones === undefined ? null : (
          <strong className="medium primary">{t('common:domains', counted(zones))}</strong>
        )}
        <RelativeTime at={since} />
      </span>
    </li>
  )
}

/** A cursor moves about every second; a larger lag means that it is behind. */
const behindMs = 30_000
/** Above this number, `unseen` is not counted exactly. */
const mostUnseen = 1_000

function Regions({ overview: { regions, checkInterval } }: { overview: MonitoringOverview }) {
  const { t } = useTranslation('monitoring')
  const words = useReasonWords()
  const how = ({ probes, online, pace, lagMs, unseen, reason }: MonitoringOverview['regions'][number]): { tone: Tone; said: string } => {
    if (reason !== null) return { tone: 'idle', said: words({ code: reason, params: {} }).what }
    if (online === 0) return { tone: 'bad', said: t('regions.offline') }
    const real = Math.round(checkInterval / Math.max(pace, 0.01))
    if (real > checkInterval) {
      const said = t('regions.late', { time: formatDuration(real * 60), instead: formatDuration(checkInterval * 60) })
      return { tone: 'warn', said }
    }
    if (lagMs > behindMs) return { tone: 'warn', said: t('regions.behind', { time: formatDuration(Math.round(lagMs / 1_000)) }) }
    const rest = online < probes ? 'warn' : null
    if (unseen > mostUnseen) return { tone: rest ?? 'info', said: t('regions.unseen_most', { formatted: formatNumber(mostUnseen) }) }
    if (unseen > 0) return { tone: rest ?? 'info', said: t('regions.unseen', counted(unseen)) }
    return { tone: rest ?? 'good', said: t('regions.probes', counted(probes)) }
  }
  return (
    <section className={classes['box']} aria-labelledby="monitoring-regions">
      <h2 id="monitoring-regions">{t('regions.title')}</h2>
      <ul className={`column gap-10 ${classes['regions']}`}>
        {regions.map((each) => {
          const { region, online, checksPerSecond, reason } = each
          const { tone, said } = how(each)
          return (
            <li key={region}>
              <StatusDot tone={tone} />
              <span>
                <strong className="medium">{t(`region.${region}`)}</strong>
                <small className="size-12 muted pretty" title={reason === null ? undefined : words({ code: reason, params: {} }).advice}>
                  {said}
                </small>
              </span>
              {online === 0 ? null : (
                <span className="size-12 secondary numeric">{t('regions.rate', { rate: formatNumber(checksPerSecond) })}</span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const height = 48

function LastDay({ hours }: { hours: MonitoringOverview['lastDay'] }) {
  const { t } = useTranslation('monitoring')
  const most = Math.max(1, ...hours.map(({ opened }) => opened))
  const all = hours.reduce((sum, { opened }) => sum + opened, 0)
  return (
    <section className={classes['box']} aria-labelledby="monitoring-day">
      <h2 id="monitoring-day">{t('last_day.title')}</h2>
      <p className="size-12 muted">{t('last_day.sum', counted(all))}</p>
      <Chart
        className="mt-8"
        columns={hours.map(({ hour, opened }) => {
          const tall = opened === 0 ? 1 : Math.max(3, (opened / most) * height)
          return {
            key: hour,
            title: `${formatTime(hour)}: ${formatNumber(opened)}`,
            bars: [{ y: height - tall, height: tall, fill: opened > 0 ? 'var(--warn-mark)' : 'var(--line-strong)' }],
          }
        })}
        height={height}
        axis={[hours[0] && formatTime(hours[0].hour), t('last_day.now')]}
      />
      <ChartTable
        caption={t('last_day.title')}
        head={[]}
        rows={hours.map(({ hour, opened }) => ({ key: hour, cells: [formatTime(hour), formatNumber(opened)] }))}
      />
    </section>
  )
}
