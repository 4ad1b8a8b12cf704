import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatNumber, formatShare, formatShort } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { messageOf } from '#client/lib/errors.ts'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Problem, Section } from './section.tsx'
import classes from './traffic.module.css'

type Day = Outputs['zoneSettings']['traffic']['days'][number]

const height = 64
const barWidth = 10
const gap = 2

/** Requests of the last 30 days, and how many of them the cache answered. */
export function Traffic({ id, enabled }: { id: string; enabled: boolean }) {
  const { t } = useTranslation('zone')
  const traffic = trpc.zoneSettings.traffic.useQuery({ id }, { enabled, trpc: { context: { alone: true } } })
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
        <Chart days={data.days} />
      ) : (
        <p className="muted">{t('traffic.none')}</p>
      )}
    </Section>
  )
}

function Chart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation('zone')
  const [at, setAt] = useState<number | null>(null)
  const sum = (of: keyof Omit<Day, 'date'>) => days.reduce((total, day) => total + day[of], 0)
  const day = at === null ? undefined : days[at]
  const requests = day?.requests ?? sum('requests')
  const cached = day?.cachedRequests ?? sum('cachedRequests')
  const bytes = day?.bytes ?? sum('bytes')
  const threats = day?.threats ?? sum('threats')
  const most = Math.max(...days.map((each) => each.requests))
  const step = barWidth + gap
  const width = days.length * step - gap
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
          <dd title={formatNumber(cached)}>{requests === 0 ? '–' : formatShare(cached / requests)}</dd>
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
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className={classes['chart']}
        aria-hidden
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          setAt(Math.max(0, Math.min(days.length - 1, Math.floor(((event.clientX - box.left) / box.width) * days.length))))
        }}
        onPointerLeave={() => setAt(null)}
      >
        {days.map((each, index) => {
          const all = Math.max(each.requests === 0 ? 0 : 1, (each.requests / most) * height)
          const some = (each.cachedRequests / most) * height
          return (
            <g key={each.date} data-dim={(at !== null && at !== index) || undefined}>
              <rect x={index * step} y={height - all} width={barWidth} height={all} className={classes['all']} />
              <rect x={index * step} y={height - some} width={barWidth} height={some} className={classes['cache']} />
            </g>
          )
        })}
      </svg>
      <div className="flex gap-8 between size-12 line-16 muted" aria-hidden>
        <span>{first === undefined ? null : formatDate(first.date)}</span>
        <span>
          {day === undefined ? (
            t('traffic.peak', { requests: formatShort(most) })
          ) : (
            <strong className="medium primary">{formatDate(day.date)}</strong>
          )}
        </span>
        <span>{last === undefined ? null : formatDate(last.date)}</span>
      </div>
      <div className="sr-only">
        <table>
          <caption>{t('traffic.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('traffic.date')}</th>
              <th scope="col">{t('traffic.requests')}</th>
              <th scope="col">{t('traffic.cached')}</th>
              <th scope="col">{t('traffic.bytes')}</th>
              <th scope="col">{t('traffic.threats')}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((each) => (
              <tr key={each.date}>
                <th scope="row">{formatDate(each.date)}</th>
                <td>{formatNumber(each.requests)}</td>
                <td>{formatNumber(each.cachedRequests)}</td>
                <td>{formatBytes(each.bytes)}</td>
                <td>{formatNumber(each.threats)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
