import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrafficTotal } from '#shared/features/domains/traffic-totals.ts'
import { counted, formatBytes, formatNumber, formatShort } from '#client/lib/format.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { trpc } from '#client/lib/trpc.ts'
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
const cardHeight = 92

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

/** The domains of a row, the busiest first. */
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
              <SegmentedControl
                size="xs"
                aria-label={t('period.label')}
                value={period}
                onChange={(value) => change({ period: value === 'month' ? undefined : value })}
                data={trafficPeriods.map((value) => ({ value, label: t(`period.${value}`) }))}
              />
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
        onOpen: (total) => void navigate({ to: '/domains', search: toDomains(total) }),
      }}
      card={(total) => <Card total={total} period={period} search={toDomains(total)} />}
      cardHeight={cardHeight}
      scrollKey={`${by} ${q} ${period} ${sort.key} ${sort.direction}`}
    />
  )
}

/** The two lists of domains for cleaning up, with their numbers. */
function CleanUp() {
  const { t } = useTranslation('traffic')
  return (
    <p className={`flex size-13 secondary ${classes['cleanUp']}`}>
      {(['idle', 'ungrouped'] as const).map((traffic) => (
        <CleanUpLink key={traffic} traffic={traffic} label={t(`clean_up.${traffic}`)} title={t(`clean_up.${traffic}_help`)} />
      ))}
    </p>
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

function Card({ total, period, search }: { total: TrafficTotal; period: TrafficPeriod; search: DomainsSearch }) {
  const { t } = useTranslation(['traffic', 'common'])
  const { name, domains, [period]: sum } = total
  return (
    <Link to="/domains" search={search} className={`focus-inside ${classes['card']}`}>
      <span className="flex gap-10 baseline between shrink semibold size-14">
        <bdi className="cut block shrink">{name ?? t('no_group')}</bdi>
        <span className="fixed size-12 regular secondary">{t('common:domains', counted(domains))}</span>
      </span>
      <span>
        {t('card.requests', { requests: formatShort(sum.requests) })} · {formatBytes(sum.bytes)}
      </span>
      <span className="size-12 muted">
        {t('card.details', {
          threats: formatShort(sum.threats),
          client: errorShare(sum.clientErrors, sum),
          server: errorShare(sum.serverErrors, sum),
        })}
      </span>
    </Link>
  )
}
