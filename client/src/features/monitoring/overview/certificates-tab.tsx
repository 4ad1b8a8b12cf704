import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatDuration, formatNumber } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { Chart, ChartKeys, ChartTable } from '#client/ui/chart/chart.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { EmptyState, ShowAll } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { pagedRows } from '#client/ui/table/paged-rows.ts'
import { StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import { Tile, Tiles } from '#client/ui/chart/tile.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import type { MonitoringSearch, ChangeSearch } from '../search.ts'
import classes from '../monitoring.module.css'

type Certificate = Outputs['monitoring']['certificates']['certificates'][number]
type Ends = NonNullable<MonitoringSearch['ends']>

const dayMs = 86_400_000
const tones: Record<Ends, Tone> = { ended: 'bad', week: 'bad', month: 'warn', later: 'good' }
const dayOf = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
const spanOf: Record<Ends, () => { from?: string; to?: string }> = {
  ended: () => ({ to: dayOf(-1) }),
  week: () => ({ from: dayOf(0), to: dayOf(7) }),
  month: () => ({ from: dayOf(7), to: dayOf(30) }),
  later: () => ({ from: dayOf(30) }),
}

/** Expiry dates of the certificates as visitors see them, and of domains by day. */
export function CertificatesTab({ search: { ends, owner }, change }: { search: MonitoringSearch; change: ChangeSearch }) {
  const { t } = useTranslation('monitoring')
  const expiries = trpc.monitoring.expiries.useQuery({ ...(owner && { ownerId: owner }) })
  const span = useMemo(() => (ends === undefined ? {} : spanOf[ends]()), [ends])
  const list = trpc.monitoring.certificates.useInfiniteQuery(
    { limit: 100, ...span, ...(owner && { ownerId: owner }) },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const rows = useMemo(() => list.data?.pages.flatMap(({ certificates }) => certificates) ?? [], [list.data])
  const columns = useCertificateColumns()
  const layout = useColumnLayout('certificates', columns)
  const counts = expiries.data?.certificates
  if (list.isError && list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      <Tiles label={t('certificates.tiles')}>
        {(['ended', 'week', 'month', 'later'] as const).map((each) => (
          <Tile
            key={each}
            label={t(`certificates.${each}`)}
            value={counts?.[each]}
            tone={tones[each]}
            pressed={ends === each}
            onPress={() => change({ ends: ends === each ? undefined : each })}
          />
        ))}
      </Tiles>
      {expiries.isError ? null : <Calendar days={expiries.data?.days} />}
      <div className="column mt-12 min-h-420">
        <DataTable
          label={t('tabs.certificates')}
          {...pagedRows(list, rows)}
          getRowId={({ zoneId: domainId }) => domainId}
          getRowLabel={({ displayName }) => displayName}
          columns={columns}
          layout={layout}
          scrollKey={ends ?? ''}
          renderCard={(row) => (
            <div className={`row gap-12 between fill size-13 ${classes['certificateCard']}`}>
              <Link to="/domains/$id/health" params={{ id: row.zoneId }} className="cut block shrink mono">
                <bdi>{row.displayName}</bdi>
              </Link>
              <span className={`inline gap-8 shrink within ${classes['state']}`}>
                <StatusDot tone={toneOf(row)} />
                {formatDate(row.expiresAt)}
              </span>
            </div>
          )}
          cardHeight={56}
          empty={
            <EmptyState
              picture="empty"
              title={t('certificates.none')}
              text={t('certificates.none_text')}
              {...(ends !== undefined && { action: <ShowAll onClick={() => change({ ends: undefined })} /> })}
            />
          }
        />
      </div>
    </>
  )
}

/** Whole days; null if none is left. */
function leftText(expiresAt: string): string | null {
  const days = Math.floor((Date.parse(expiresAt) - Date.now()) / dayMs)
  return days < 0 ? null : days === 0 ? '< 1' : formatDuration(days * 86_400)
}

const toneOf = ({ expiresAt, trusted }: Certificate): Tone => {
  const days = (Date.parse(expiresAt) - Date.now()) / dayMs
  return days < 7 || trusted === false ? 'bad' : days < 30 ? 'warn' : 'good'
}

function useCertificateColumns(): readonly DataColumn<Certificate>[] {
  const { t } = useTranslation('monitoring')
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('incidents.domain'),
        width: 240,
        minWidth: 160,
        grow: true,
        hideable: false,
        cell: ({ zoneId: domainId, displayName }) => (
          <Link to="/domains/$id/health" params={{ id: domainId }} className="cut block shrink mono">
            <bdi>{displayName}</bdi>
          </Link>
        ),
      },
      {
        id: 'ends',
        title: t('certificates.ends'),
        width: 170,
        cell: (row) => (
          <span className={`inline gap-8 shrink within ${classes['state']}`}>
            <StatusDot tone={toneOf(row)} />
            {formatDate(row.expiresAt)}
          </span>
        ),
      },
      { id: 'left', title: t('certificates.left'), width: 150, cell: ({ expiresAt }) => leftText(expiresAt) ?? t('certificate.over') },
      {
        id: 'issuer',
        title: t('certificates.issuer'),
        width: 220,
        grow: true,
        cell: ({ issuer }) => (issuer === null ? null : <bdi className="cut block shrink">{issuer}</bdi>),
      },
      {
        id: 'trusted',
        title: t('certificates.trusted'),
        width: 170,
        cell: ({ trusted }) => (trusted === null ? null : t(trusted ? 'certificates.yes' : 'certificates.no')),
      },
    ],
    [t],
  )
}

const [height, ahead] = [56, 92]

/**
 * The coming days: certificates upwards and domains downwards, on separate scales, because there are far more certificates. Reserves its space
 * while loading.
 */
function Calendar({ days }: { days: Outputs['monitoring']['expiries']['days'] | undefined }) {
  const { t } = useTranslation('monitoring')
  const byDay = new Map(days?.map((each) => [each.day, each]))
  const all = Array.from({ length: ahead }, (_, index) => {
    const day = dayOf(index)
    return byDay.get(day) ?? { day, certificates: 0, domains: 0 }
  })
  const most = {
    certificates: Math.max(...all.map(({ certificates }) => certificates)),
    domains: Math.max(...all.map(({ domains }) => domains)),
  }
  const tall = (key: keyof typeof most, count: number) => (count === 0 ? 0 : Math.max(3, (count / most[key]) * (height / 2 - 1)))
  const counted = (key: 'certificates' | 'domains') => {
    const count = all.reduce((total, each) => total + each[key], 0)
    return { count, formatted: days === undefined ? '…' : formatNumber(count) }
  }
  const keyOf = (key: 'certificates' | 'domains') => {
    const words = t(`calendar.${key}`, counted(key))
    return most[key] === 0 ? words : `${words}, ${t('calendar.most', { formatted: formatNumber(most[key]) })}`
  }
  const noon = (day: string) => `${day}T12:00:00Z`
  return (
    <section className={classes['box']} aria-labelledby="monitoring-calendar" aria-busy={days === undefined || undefined}>
      <h2 id="monitoring-calendar">{t('calendar.title')}</h2>
      <ChartKeys
        keys={[
          { fill: 'var(--info-mark)', words: keyOf('certificates') },
          { fill: 'var(--warn-mark)', words: keyOf('domains') },
        ]}
      />
      <Chart
        className={classes['calendar'] ?? ''}
        columns={all.map(({ day, certificates, domains }) => {
          const up = tall('certificates', certificates)
          return {
            key: day,
            title: `${formatDate(noon(day))}: ${formatNumber(certificates)} / ${formatNumber(domains)}`,
            bars: [
              { y: height / 2 - up, height: up, fill: 'var(--info-mark)' },
              { y: height / 2, height: tall('domains', domains), fill: 'var(--warn-mark)' },
            ],
          }
        })}
        height={height}
        drawn={72}
        middle
        axis={[0, ahead / 2, ahead - 1].map((index) => formatDate(noon(dayOf(index))))}
      />
      <ChartTable
        caption={t('calendar.title')}
        head={[t('calendar.day'), t('tabs.certificates'), t('incidents.domain')]}
        rows={(days ?? []).map(({ day, certificates, domains }) => ({
          key: day,
          cells: [formatDate(noon(day)), formatNumber(certificates), formatNumber(domains)],
        }))}
      />
    </section>
  )
}
