import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HistoryPoint, HistoryRange } from '#shared/features/monitoring/reports.ts'
import { historyRange } from '#shared/features/monitoring/reports.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { formatDate, formatDateTime, formatNumber } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { phases, phasesOf, unitsOf } from './phases.ts'
import { formatUptime } from '../format.ts'
import { HealthSection } from './health-section.tsx'
import tables from '#client/ui/plain-table.module.css'
import classes from '../monitoring.module.css'

const height = 120

/** Response times by phase and region, and when checks failed. */
export function ResponseSection({ zoneId, regions }: { zoneId: string; regions: readonly Region[] }) {
  const { t } = useTranslation('monitoring')
  const [range, setRange] = useState<HistoryRange>('day')
  const [chosen, setChosen] = useState<Region | null>(null)
  const history = trpc.monitoring.history.useQuery({ id: zoneId, range }, { placeholderData: (before) => before })
  const region = chosen !== null && regions.includes(chosen) ? chosen : (regions[0] ?? 'EUROPE')
  return (
    <HealthSection
      title={t('response.title')}
      note={
        <div className="flex wrap gap-8 within">
          {regions.length < 2 ? null : (
            <SegmentedControl
              size="xs"
              aria-label={t('response.region')}
              value={region}
              onChange={(value) => setChosen(regions.find((each) => each === value) ?? null)}
              data={regions.map((value) => ({ value, label: t(`region.${value}`) }))}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t('response.range')}
            value={range}
            onChange={(value) => setRange(historyRange.options.find((each) => each === value) ?? 'day')}
            data={historyRange.options.map((value) => ({ value, label: t(`range.${value}`) }))}
          />
        </div>
      }
    >
      {history.data === undefined ? <Skeleton height={height + 56} /> : <Chart history={history.data} region={region} />}
    </HealthSection>
  )
}

function Chart({ history, region }: { history: Outputs['monitoring']['history']; region: Region }) {
  const { t } = useTranslation('monitoring')
  const [at, setAt] = useState<number | null>(null)
  const units = unitsOf(history)
  const points = new Map(history.points.filter((point) => point.region === region).map((point) => [Date.parse(point.at), point]))
  const shown = units.map((unit) => points.get(unit) ?? null)
  const told = shown.filter((point) => point !== null)
  if (told.length === 0) return <p className="size-12 muted">{t('response.none')}</p>
  const most = Math.max(1, ...told.map((point) => phasesOf(point).reduce((sum, { ms }) => sum + ms, 0)))
  const label = (unit: number): string => (history.step === 'hour' ? formatDateTime(unit) : formatDate(unit))
  const point = at === null ? null : (shown[at] ?? null)
  const [first, last] = [units[0], units.at(-1)]
  return (
    <div className={`column gap-8 ${classes['chartBox']}`}>
      <p className={`flex wrap size-12 secondary numeric ${classes['keys']}`} aria-hidden>
        {phases.map((phase) => (
          <span key={phase} data-phase={phase}>
            {t(`phase.${phase}`)}
            {point === null ? null : ` ${t('ms', { ms: formatNumber(phasesOf(point).find((each) => each.phase === phase)?.ms ?? 0) })}`}
          </span>
        ))}
        <span data-phase="failed">
          {t('response.failed')}
          {point === null ? null : ` ${formatNumber(point.failed)}/${formatNumber(point.checks)}`}
        </span>
        <strong className="push medium primary">
          {at === null || units[at] === undefined ? t('response.most', { ms: formatNumber(most) }) : label(units[at])}
        </strong>
      </p>
      <svg
        viewBox={`0 0 ${units.length * 10 - 2} ${height}`}
        preserveAspectRatio="none"
        className={classes['chart']}
        aria-hidden
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          setAt(Math.max(0, Math.min(units.length - 1, Math.floor(((event.clientX - box.left) / box.width) * units.length))))
        }}
        onPointerLeave={() => setAt(null)}
      >
        {shown.map((each, index) =>
          each === null ? null : <Bar key={units[index]} point={each} x={index * 10} most={most} dim={at !== null && at !== index} />,
        )}
      </svg>
      <div className="flex gap-8 between size-12 line-16 muted mt-4" aria-hidden>
        <span>{first === undefined ? null : label(first)}</span>
        <span>{last === undefined ? null : label(last)}</span>
      </div>
      <details className={classes['details']}>
        <summary className="size-12 secondary pointer">{t('response.table')}</summary>
        <div className={`framed scroll ${classes['tableBox']}`} tabIndex={0} role="region" aria-label={t('response.table')}>
          <table className={`numeric nowrap ${tables['table']}`}>
            <caption className="sr-only">{t('response.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('response.when')}</th>
                <th scope="col">{t('response.good')}</th>
                {phases.map((phase) => (
                  <th key={phase} scope="col">
                    {t(`phase.${phase}`)}
                  </th>
                ))}
                <th scope="col">{t('response.total')}</th>
                <th scope="col">{t('response.max')}</th>
              </tr>
            </thead>
            <tbody>
              {told.toReversed().map((each) => (
                <tr key={each.at}>
                  <th scope="row">{label(Date.parse(each.at))}</th>
                  <td>{formatUptime(each.checks === 0 ? null : 1 - each.failed / each.checks)}</td>
                  {phasesOf(each).map(({ phase, ms }) => (
                    <td key={phase}>{formatNumber(ms)}</td>
                  ))}
                  <td>{each.timings.totalMs === null ? '–' : formatNumber(each.timings.totalMs)}</td>
                  <td>{each.maxTotalMs === null ? '–' : formatNumber(each.maxTotalMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  )
}

function Bar({ point, x, most, dim }: { point: HistoryPoint; x: number; most: number; dim: boolean }) {
  const failed = point.checks === 0 ? 0 : (point.failed / point.checks) * height
  const parts = phasesOf(point).map(({ phase, ms }) => ({ phase, tall: (ms / most) * (height - 8) }))
  return (
    <g data-dim={dim || undefined}>
      {failed === 0 ? null : <rect data-phase="failed" x={x} y={0} width={8} height={height} opacity={0.25 + 0.5 * (failed / height)} />}
      {parts.map(({ phase, tall }, index) => (
        <rect
          key={phase}
          data-phase={phase}
          x={x}
          y={height - parts.slice(0, index + 1).reduce((sum, each) => sum + each.tall, 0)}
          width={8}
          height={tall}
        />
      ))}
    </g>
  )
}
