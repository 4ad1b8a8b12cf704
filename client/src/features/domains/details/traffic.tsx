import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatUtcDate, formatNumber, formatShare, formatShort } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { messageOf } from '#client/lib/errors.ts'
import { Chart, ChartTable } from '#client/ui/chart/chart.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { Problem, Section } from './section.tsx'
import classes from './traffic.module.css'

type Day = Outputs['zoneSettings']['traffic']['days'][number]

const height = 64

/** Requests of the last 30 days, and the share served from the cache. */
export function Traffic({ id, enabled }: { id: string; enabled: boolean }) {
  const { t } = useTranslation('zone')
  const traffic = trpc.zoneSettings.traffic.useQuery({ id }, { enabled, trpc: { context: { unbatched: true } } })
  const { data } = traffic
  return (
    <Section title={t('traffic.title')} note={t('traffic.days')}>
      {data === undefined ? (
        traffic.isError ? (
          <p className="muted">{messageOf(traffic.error)}</p>
        ) : (
          <Skeleton height={height + 44} />
        )
      ) : data.unavailable !== null ? (
        <Problem
          code={data.unavailable.code}
          message={data.unavailable.message}
          {...(data.unavailable.code === 'provider_forbidden' && { hint: t('traffic.forbidden') })}
        />
      ) : data.days.some(({ requests }) => requests > 0) ? (
        <Requests days={data.days} />
      ) : (
        <p className="muted">{t('traffic.none')}</p>
      )}
    </Section>
  )
}

function Requests({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation('zone')
  const [at, setAt] = useState<number | null>(null)
  const sum = (of: keyof Omit<Day, 'date'>) => days.reduce((total, day) => total + day[of], 0)
  const day = at === null ? undefined : days[at]
  const requests = day?.requests ?? sum('requests')
  const cached = day?.cachedRequests ?? sum('cachedRequests')
  const bytes = day?.bytes ?? sum('bytes')
  const threats = day?.threats ?? sum('threats')
  const most = Math.max(...days.map((each) => each.requests))
  const first = days[0]
  const last = days.at(-1)
  return (
    <div className="column gap-8 relative">
      <dl className={`flex wrap ${classes['figures']}`}>
        <div>
          <dt className="row gap-6 size-12 muted">{t('traffic.requests')}</dt>
          <dd title={formatNumber(requests)}>{formatShort(requests)}</dd>
        </div>
        <div>
          <dt className="row gap-6 size-12 muted">
            <span className={classes['key']} aria-hidden />
            {t('traffic.cached')}
          </dt>
          <dd title={formatNumber(cached)}>{requests === 0 ? '—' : formatShare(cached / requests)}</dd>
        </div>
        <div>
          <dt className="row gap-6 size-12 muted">{t('traffic.bytes')}</dt>
          <dd>{formatBytes(bytes)}</dd>
        </div>
        <div>
          <dt className="row gap-6 size-12 muted">{t('traffic.threats')}</dt>
          <dd data-some={threats > 0 || undefined}>{formatShort(threats)}</dd>
        </div>
      </dl>
      <div>
        <Chart
          columns={days.map((each) => {
            const all = Math.max(each.requests === 0 ? 0 : 1, (each.requests / most) * height)
            const some = (each.cachedRequests / most) * height
            return {
              key: each.date,
              bars: [
                { y: height - all, height: all, fill: 'var(--line-strong)' },
                { y: height - some, height: some, fill: 'var(--accent-fill)' },
              ],
            }
          })}
          height={height}
          at={at}
          onPoint={setAt}
          axis={[
            first && formatUtcDate(first.date),
            day === undefined ? (
              t('traffic.peak', { requests: formatShort(most) })
            ) : (
              <strong className="medium primary">{formatUtcDate(day.date)}</strong>
            ),
            last && formatUtcDate(last.date),
          ]}
        />
      </div>
      <ChartTable
        caption={t('traffic.title')}
        head={[t('traffic.date'), t('traffic.requests'), t('traffic.cached'), t('traffic.bytes'), t('traffic.threats')]}
        rows={days.map((each) => ({
          key: each.date,
          cells: [
            formatUtcDate(each.date),
            formatNumber(each.requests),
            formatNumber(each.cachedRequests),
            formatBytes(each.bytes),
            formatNumber(each.threats),
          ],
        }))}
      />
    </div>
  )
}
