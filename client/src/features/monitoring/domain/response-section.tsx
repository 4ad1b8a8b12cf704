import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { historyRanges } from '#shared/features/monitoring/ranges.ts'
import type { HistoryPoint, HistoryRange } from '#shared/features/monitoring/reports.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { formatDate, formatDateTime, formatNumber } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { Chart, type ChartBar, ChartKeys } from '#client/ui/chart/chart.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { phases, phasesOf, unitsOf } from './phases.ts'
import { formatUptime } from '../format.ts'
import { HealthSection } from './health-section.tsx'
import tables from '#client/ui/table/plain-table.module.css'
import classes from '../monitoring.module.css'

const height = 120

/** Response times by phase and region, and failed checks over time. */
export function ResponseSection({ domainId, regions }: { domainId: string; regions: readonly Region[] }) {
  const { t } = useTranslation('monitoring')
  const [range, setRange] = useState<HistoryRange>('day')
  const [selected, setSelected] = useState<Region | null>(null)
  const history = trpc.monitoring.history.useQuery({ id: domainId, range }, { placeholderData: (before) => before })
  const region = selected !== null && regions.includes(selected) ? selected : (regions[0] ?? 'EUROPE')
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
              onChange={(value) => setSelected(regions.find((each) => each === value) ?? null)}
              data={regions.map((value) => ({ value, label: t(`region.${value}`) }))}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t('response.range')}
            value={range}
            onChange={(value) => setRange(historyRanges.find((each) => each === value) ?? 'day')}
            data={historyRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
          />
        </div>
      }
    >
      {history.data === undefined ? <Skeleton height={height + 56} /> : <Phases history={history.data} region={region} />}
    </HealthSection>
  )
}

function Phases({ history, region }: { history: Outputs['monitoring']['history']; region: Region }) {
  const { t } = useTranslation('monitoring')
  const [at, setAt] = useState<number | null>(null)
  const units = unitsOf(history)
  const points = new Map(history.points.filter((point) => point.region === region).map((point) => [Date.parse(point.at), point]))
  const shown = units.map((unit) => points.get(unit) ?? null)
  const measured = shown.filter((point) => point !== null)
  if (measured.length === 0) return <p className="size-12 muted">{t('response.none')}</p>
  const most = Math.max(1, ...measured.map((point) => phasesOf(point).reduce((sum, { ms }) => sum + ms, 0)))
  const label = (unit: number): string => (history.step === 'hour' ? formatDateTime(unit) : formatDate(unit))
  const point = at === null ? null : (shown[at] ?? null)
  const [first, last] = [units[0], units.at(-1)]
  return (
    <div className={`column gap-8 ${classes['chartBox']}`}>
      <ChartKeys
        keys={[
          ...phases.map((phase) => {
            const ms = point === null ? undefined : phasesOf(point).find((each) => each.phase === phase)?.ms
            return {
              fill: `var(--phase-${phase})`,
              words: [t(`phase.${phase}`), ms !== undefined && t('ms', { ms: formatNumber(ms) })].filter(Boolean).join(' '),
            }
          }),
          {
            fill: 'var(--bad-mark)',
            words: [t('response.failed'), point !== null && `${formatNumber(point.failed)}/${formatNumber(point.checks)}`]
              .filter(Boolean)
              .join(' '),
          },
        ]}
        end={at === null || units[at] === undefined ? t('response.most', { ms: formatNumber(most) }) : label(units[at])}
        hidden
      />
      <div>
        <Chart
          columns={shown.map((each, index) => ({ key: units[index] ?? index, bars: each === null ? [] : barsOf(each, most) }))}
          height={height}
          drawn={140}
          at={at}
          onPoint={setAt}
          axis={[first && label(first), last && label(last)]}
        />
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
              {measured.toReversed().map((each) => (
                <tr key={each.at}>
                  <th scope="row">{label(Date.parse(each.at))}</th>
                  <td>{formatUptime(each.checks === 0 ? null : 1 - each.failed / each.checks)}</td>
                  {phasesOf(each).map(({ phase, ms }) => (
                    <td key={phase}>{formatNumber(ms)}</td>
                  ))}
                  <td>{each.timings.totalMs === null ? '—' : formatNumber(each.timings.totalMs)}</td>
                  <td>{each.maxTotalMs === null ? '—' : formatNumber(each.maxTotalMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  )
}

function barsOf(point: HistoryPoint, most: number): ChartBar[] {
  const failed = point.checks === 0 ? 0 : (point.failed / point.checks) * height
  let top = height
  const parts = phasesOf(point).map(({ phase, ms }) => {
    const tall = (ms / most) * (height - 8)
    top -= tall
    return { y: top, height: tall, fill: `var(--phase-${phase})` }
  })
  return failed === 0 ? parts : [{ y: 0, height, fill: 'var(--bad-mark)', opacity: 0.25 + 0.5 * (failed / height) }, ...parts]
}
