import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrafficTotal } from '#shared/features/domains/traffic-totals.ts'
import { counted, formatBytes, formatNumber, formatShort, formatUtcDate } from '#client/lib/format.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { trpc } from '#client/lib/trpc.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import links from '#client/ui/display/text-link.module.css'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { EntityListPage } from '#client/ui/layout/entity-list-page.tsx'
import { TabBar } from '#client/ui/layout/tab-bar.tsx'
import tabs from '#client/ui/layout/tabs.module.css'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import type { Sort } from '#client/ui/table/data-table.types.ts'
import { sortRows } from '#client/ui/table/sort-rows.ts'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import type { DomainsSearch } from '../list/search.ts'
import { parseTrafficSearch, trafficPeriods, type TrafficPeriod, type TrafficSearch } from './search.ts'
import { errorShare, useTotalColumns } from './use-total-columns.tsx'
import classes from './traffic.module.css'

const route = getRouteApi('/_app/domains/traffic')
const cardHeight = 104

const sortKeys = (period: TrafficPeriod): Record<string, (total: TrafficTotal) => string | number> => {
  const share = (errors: 'clientErrors' | 'serverErrors') => (total: TrafficTotal) =>
    total[period].requests === 0 ? -1 : total[period][errors] / total[period].requests
  return {
    domains: ({ domains }) => domains,
    requests: (total) => total[period].requests,
    bytes: (total) => total[period].bytes,
    threats: (total) => total[period].threats,
    clientErrors: share('clientErrors'),
    serverErrors: share('serverErrors'),
  }
}
const nameOf = ({ name }: TrafficTotal): string => (name ?? '').toLowerCase()

const dayMs = 86_400_000
/** The last whole day of the figures, if it is the same in all rows. */
function lastDayOf(totals: readonly TrafficTotal[]): string | null {
  const [day, ...others] = new Set(totals.map(({ readAt }) => Math.floor(Date.parse(readAt) / dayMs) - 1))
  return day === undefined || others.length > 0 ? null : formatUtcDate(day * dayMs)
}

/** The domains of a row, the busiest first. Without a group, only those with requests have a list. */
function domainsOf({ id }: TrafficTotal, by: 'account' | 'group'): DomainsSearch {
  const sort = '-requests'
  if (id === null) return { traffic: 'ungrouped', sort }
  return by === 'account' ? { account: id, sort } : { group: id, sort }
}

/** The traffic of all domains by group or account, and the lists of domains to clean up. */
export function TrafficPage() {
  const { t } = useTranslation(['traffic', 'common'])
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const { q = '', by = 'group', period = 'month' } = parseTrafficSearch(route.useSearch())
  const navigate = route.useNavigate()
  const [sort, setSort] = useState<Sort>({ key: 'requests', direction: 'desc' })
  const list = trpc.traffic.totals.useQuery({ by }, { placeholderData: keepPreviousData })
  const columns = useTotalColumns(by, period)
  const layout = useColumnLayout('traffic', columns)
  const all = list.data?.totals
  const rows = useMemo(() => {
    const text = q.trim().toLowerCase()
    return sortRows(
      (all ?? []).filter((total) => text === '' || nameOf(total).includes(text)),
      sort,
      sortKeys(period),
      nameOf,
    )
  }, [all, q, sort, period])
  const change = (part: SearchPart<TrafficSearch>): void =>
    void navigate({ replace: true, search: (before) => parseTrafficSearch({ ...before, ...part }) })
  const untouched = all?.length === 0 && !list.isPlaceholderData
  const lastDay = period === 'day' ? lastDayOf(rows) : null
  const toDomains = (total: TrafficTotal) => domainsOf(total, by)
  return (
    <EntityListPage
      title={t('title')}
      count={all?.length}
      above={
        <>
          <TabBar label={t('tabs')} className="mb-16">
            {(['group', 'account'] as const).map((each) => (
              <Link
                key={each}
                to="/domains/traffic"
                search={(before) => parseTrafficSearch({ ...before, by: each })}
                className={tabs['tab'] ?? ''}
                activeOptions={{ exact: true }}
                activeProps={{ 'aria-current': 'page' as const }}
              >
                {t(`by_many.${each}`)}
              </Link>
            ))}
          </TabBar>
          {untouched ? null : (
            <div className={`flex between ${classes['above']}`}>
              <CleanUp />
              <div className={`flex ${classes['period']}`}>
                {lastDay === null ? null : <span className="size-12 muted">{lastDay}</span>}
                <SegmentedControl
                  size="xs"
                  aria-label={t('period.label')}
                  value={period}
                  onChange={(value) => change({ period: value === 'month' ? undefined : value })}
                  data={trafficPeriods.map((value) => ({ value, label: t(`period.${value}`) }))}
                />
              </div>
            </div>
          )}
        </>
      }
      list={list}
      failed={t('failed')}
      untouched={
        untouched ? (
          <EmptyState
            picture="empty"
            title={t('empty.title')}
            text={t('empty.text')}
            action={
              <Button variant="default" renderRoot={(props) => <Link to="/accounts" {...props} />}>
                {t('empty.action')}
              </Button>
            }
          />
        ) : null
      }
      rows={rows}
      filter={{
        label: t('search'),
        text: q,
        onText: (text) => change({ q: text }),
        active: 0,
        onReset: () => change({ q: undefined }),
        tools: <ColumnsMenu columns={columns} layout={layout} />,
      }}
      noMatch={{ text: t('no_match', { search: q }), onReset: () => change({ q: undefined }) }}
      table={{
        getRowId: ({ id }) => id ?? 'none',
        getRowLabel: ({ name }) => name ?? t('no_group'),
        columns,
        layout,
        sort,
        onSort: setSort,
        // Until the other rows are loaded, those of before are shown, which are no groups or no accounts.
        onOpen: (total) => {
          if (!list.isPlaceholderData) void navigate({ to: '/domains', search: toDomains(total) })
        },
      }}
      card={(total) => <Card total={total} period={period} search={toDomains(total)} disabled={list.isPlaceholderData} />}
      cardHeight={cardHeight}
      scrollKey={`${by} ${q} ${period} ${sort.key} ${sort.direction}`}
    />
  )
}

/** The two lists of domains for cleaning up, with their numbers. */
function CleanUp() {
  const { t } = useTranslation('traffic')
  return (
    <div className="column gap-4 shrink">
      <p className={`flex size-13 secondary ${classes['cleanUp']}`}>
        {(['idle', 'ungrouped'] as const).map((traffic) => (
          <CleanUpLink key={traffic} traffic={traffic} label={t(`clean_up.${traffic}`)} title={t(`clean_up.${traffic}_help`)} />
        ))}
      </p>
      <p className="size-12 muted pretty">{t('clean_up.note')}</p>
    </div>
  )
}

function CleanUpLink({ traffic, label, title }: { traffic: 'idle' | 'ungrouped'; label: string; title: string }) {
  const count = trpc.domains.summary.useQuery({ filter: { traffic } }).data?.matching
  return (
    <Link to="/domains" search={{ traffic }} className={`underlined ${links['link']}`} title={title}>
      {label}: {count === undefined ? '…' : formatNumber(count)}
    </Link>
  )
}

function Card(props: { total: TrafficTotal; period: TrafficPeriod; search: DomainsSearch; disabled: boolean }) {
  const { t } = useTranslation(['traffic', 'common'])
  const { total, period, search, disabled } = props
  const { name, domains, readAt, [period]: sum } = total
  return (
    <Link to="/domains" search={search} disabled={disabled} className={`focus-inside ${classes['card']}`}>
      <span className="flex gap-10 baseline between shrink semibold size-14">
        <bdi className="cut block shrink">{name ?? t('no_group')}</bdi>
        <span className="fixed size-12 regular secondary">{t('common:domains', counted(domains))}</span>
      </span>
      <span className="flex gap-10 baseline between">
        <span>
          {t('card.requests', { requests: formatShort(sum.requests) })} · {formatBytes(sum.bytes)}
        </span>
        <span className="fixed size-12 muted">
          <RelativeTime at={readAt} />
        </span>
      </span>
      <span className="size-12 muted">
        {t('card.details', {
          threats: formatShort(sum.threats),
          client: errorShare(sum.clientErrors, sum),
          server: errorShare(sum.serverErrors, sum),
        })}
        {name === null ? ` · ${t('no_group_opens')}` : null}
      </span>
    </Link>
  )
}
