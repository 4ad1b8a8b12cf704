import { useTranslation } from 'react-i18next'
import type { PublicStatus } from '#shared/features/monitoring/reports.ts'
import { counted, formatDate, formatDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { LanguageSwitch } from '#client/ui/layout/language-switch.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import { ThemeToggle } from '#client/ui/layout/theme-toggle.tsx'
import { useTitle } from '#client/ui/layout/use-title.ts'
import { isWhole } from '../domain/uptime-figures.ts'
import { formatLength, formatUptime, healthTone, uptimeTone } from '../format.ts'
import { IncidentLength } from '../incident-length.tsx'
import { Chart } from '#client/ui/chart/chart.tsx'
import classes from './status-page.module.css'

/** The public status page of a group's domains. */
export function StatusPage({ slug }: { slug: string }) {
  const { t } = useTranslation('status')
  const status = trpc.monitoring.publicStatus.useQuery({ slug }, { retry: false, refetchInterval: 60_000 })
  return (
    <div className={classes['page']}>
      <header className="flex gap-8 end">
        <LanguageSwitch />
        <ThemeToggle />
      </header>
      <main className={`column gap-16 ${classes['main']}`}>
        {status.data !== undefined ? (
          <StatusView status={status.data} />
        ) : status.isError ? (
          <EmptyState picture="lost" heading="h1" title={t('absent')} text={t('absent_text')} />
        ) : (
          <div role="status" aria-busy>
            <span className="sr-only">{t('loading')}</span>
            <Skeleton width={260} height={24} />
          </div>
        )}
      </main>
    </div>
  )
}

function StatusView({ status: { title, checkedAt, domains, more, incidents } }: { status: PublicStatus }) {
  const { t } = useTranslation('status')
  useTitle(title)
  const down = domains.filter(({ health }) => health === 'critical').length
  const troubled = domains.filter(({ health }) => health === 'warnings').length
  const working = domains.filter(({ health }) => health === 'ok').length
  const isPartial = working < domains.length
  const tone = down > 0 ? 'bad' : troubled > 0 ? 'warn' : working > 0 && !isPartial ? 'good' : 'idle'
  return (
    <>
      <h1>{title}</h1>
      <p className={`row wrap border p-14-16 size-14 ${classes['summary']}`} data-tone={tone}>
        <StatusDot tone={tone} />
        <strong className="semibold">
          {down > 0
            ? t('down', counted(down))
            : troubled > 0
              ? t('troubled')
              : working === 0
                ? t('unknown')
                : isPartial
                  ? t('part', counted(domains.length - working))
                  : t('good')}
        </strong>
        {checkedAt === null ? null : (
          <span>
            {t('checked')} <RelativeTime at={checkedAt} />
          </span>
        )}
      </p>
      <ul className={`column gap-14 ${classes['domains']}`}>
        {domains.map(({ name, health, uptime, observedMs, days }) => (
          <li key={name}>
            <span className="row gap-8 shrink anywhere">
              <StatusDot tone={healthTone[health]} label={t(`health.${health}`)} />
              <bdi>{name}</bdi>
            </span>
            <span className="size-13 secondary numeric">
              {formatUptime(uptime)}
              {uptime === null || isWhole(observedMs, 'quarter') ? null : ` · ${t('observed', { length: formatLength(observedMs) })}`}
            </span>
            <Days days={days} />
          </li>
        ))}
      </ul>
      {domains.length === 0 ? <p className="size-12 muted">{t('empty')}</p> : <p className="size-12 muted">{t('days')}</p>}
      {more === 0 ? null : <p className="size-12 muted">{t('more', counted(more))}</p>}
      <section aria-labelledby="status-incidents">
        <h2 id="status-incidents">{t('incidents')}</h2>
        {incidents.length === 0 ? (
          <p className="size-12 muted">{t('no_incidents')}</p>
        ) : (
          <ul className={`column gap-8 ${classes['incidents']}`}>
            {incidents.map((incident) => (
              <li key={`${incident.name} ${incident.openedAt}`}>
                <StatusDot
                  tone={incident.closedAt === null ? healthTone[incident.health] : 'idle'}
                  label={t(incident.closedAt === null ? 'lasts' : 'over')}
                />
                <bdi>{incident.name}</bdi>
                <span className="size-12 muted">{formatDateTime(incident.openedAt)}</span>
                <span>
                  <IncidentLength incident={incident} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

const dayMs = 86_400_000

const fillOf = (tone: Tone): string => (tone === 'idle' ? 'var(--line-strong)' : `var(--${tone}-mark)`)

function Days({ days }: { days: PublicStatus['domains'][number]['days'] }) {
  return (
    <Chart
      className="across"
      look="fine"
      columns={days.map((share, index) => ({
        key: index,
        title: `${formatDate(Date.now() - (days.length - 1 - index) * dayMs)}: ${formatUptime(share)}`,
        bars: [{ y: share === null ? 8 : 0, height: share === null ? 4 : 20, fill: fillOf(uptimeTone(share)) }],
      }))}
      height={20}
      drawn={24}
    />
  )
}
