import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auth } from '#client/lib/auth.ts'
import { useLive } from '#client/lib/live.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { ActivityTabs } from './activity-tabs.tsx'
import { ActivityStats } from './activity-stats.tsx'
import { DateRangeFilter } from './date-range-filter.tsx'
import { ExportButton } from './export-button.tsx'
import { actions, entities, kinds, parseActivitySearch, queryOf, type ActivitySearch, type Entry } from './search.ts'
import { Changes, useActivityColumns, What, Who } from './use-activity-columns.tsx'
import { actionTones, useActivityWords, type ActivityWords } from './use-activity-words.ts'
import classes from './activity.module.css'

const EntryDialog = lateDialog(async () => (await import('./entry-dialog.tsx')).EntryDialog)

const route = getRouteApi('/_app/activity-logs/')
const pageSize = 50
const cardHeight = 118
/** Change events come in bursts. */
const waitMs = 1_500

/** The activity log: who changed what and when, before and after. */
export function ActivityPage() {
  const { t } = useTranslation('activity')
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const search = parseActivitySearch(route.useSearch())
  const navigate = route.useNavigate()
  const admin = auth.use().user?.role === 'admin'
  const [opened, setOpened] = useState<Entry | null>(null)
  const words = useActivityWords()
  const query = queryOf(search)
  const list = trpc.activity.list.useInfiniteQuery(
    { ...query, limit: pageSize },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  )
  useLiveRefresh(list.data?.pages.length ?? 0)
  const entries = useMemo(() => list.data?.pages.flatMap((page) => page.activityLogs) ?? [], [list.data])
  const { hasNextPage, isFetching, fetchNextPage } = list
  const onRange = useCallback(
    (_from: number, to: number): void => {
      if (hasNextPage && !isFetching && to >= entries.length - 20) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, entries.length],
  )
  const columns = useActivityColumns(words, admin)
  const layout = useColumnLayout('activity', columns)
  const change = (part: Partial<Record<keyof ActivitySearch, string | undefined>>): void =>
    void navigate({ replace: true, search: (before) => parseActivitySearch({ ...before, ...part }) })
  const reset = (): void => void navigate({ replace: true, search: {} })
  const { from, to, ...others } = search
  const active = Object.keys(others).length + (from === undefined && to === undefined ? 0 : 1)

  return (
    <>
      <PageHeader title={t('title')} actions={<ExportButton query={query} disabled={entries.length === 0} />} />
      <ActivityTabs />
      <ActivityStats search={search} words={words} onChange={change} />
      <FilterBar search={null} active={active} onReset={reset} tools={<ColumnsMenu columns={columns} layout={layout} />}>
        <FilterSelect
          label={t('filters.action')}
          options={actions.map((value) => ({ value, label: words.action(value) }))}
          values={search.action === undefined ? [] : [search.action]}
          onChange={([action]) => change({ action })}
        />
        <FilterSelect
          label={t('filters.entity')}
          options={entities.map((value) => ({ value, label: words.entity(value) }))}
          values={search.entity === undefined ? [] : [search.entity]}
          onChange={([entity]) => change({ entity })}
        />
        <People label={t('filters.user')} value={search.user} onChange={(user) => change({ user })} />
        <FilterSelect
          label={t('filters.kind')}
          options={kinds.map((value) => ({ value, label: words.kind(value) }))}
          values={search.by === undefined ? [] : [search.by]}
          onChange={([by]) => change({ by })}
        />
        {admin ? <People label={t('filters.owner')} value={search.owner} onChange={(owner) => change({ owner })} /> : null}
        <DateRangeFilter from={from} to={to} onChange={change} />
      </FilterBar>
      {list.error !== null && list.data === undefined ? (
        <ErrorState title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          rowCount={entries.length}
          getRow={(index) => entries[index]}
          getRowId={({ id }) => id}
          getRowLabel={words.what}
          onRangeVisible={onRange}
          columns={columns}
          layout={layout}
          loading={list.isPending}
          refreshing={list.isPlaceholderData}
          scrollKey={JSON.stringify(query)}
          onOpen={setOpened}
          renderCard={(entry) => <Card entry={entry} words={words} onOpen={() => setOpened(entry)} />}
          cardHeight={cardHeight}
          empty={
            active > 0 ? (
              <NoMatch title={t('no_match.title')} onReset={reset} />
            ) : (
              <EmptyState picture="empty" title={t('empty.title')} text={t('empty.text')} />
            )
          }
        />
      )}
      {opened === null ? null : <EntryDialog entry={opened} words={words} onClose={() => setOpened(null)} />}
    </>
  )
}

/** New entries appear automatically unless the user has scrolled down. */
function useLiveRefresh(pages: number): void {
  const utils = trpc.useUtils()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive(() => {
    if (timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      void utils.activity.stats.invalidate()
      if (pages <= 1) void utils.activity.list.invalidate()
    }, waitMs)
  })
}

function People({ label, value, onChange }: { label: string; value: string | undefined; onChange: (id: string | undefined) => void }) {
  const { t } = useTranslation('activity')
  const people = trpc.activity.people.useQuery(undefined, { staleTime: 60_000 })
  const options = (people.data?.people ?? []).map(({ id, name }) => ({ value: id, label: name, content: <PersonName label={name} /> }))
  // Deleted users are still in the log.
  const all =
    value === undefined || options.some((option) => option.value === value)
      ? options
      : [...options, { value, label: t('deleted_user'), content: undefined }]
  return (
    <FilterSelect
      label={label}
      options={people.isPending ? [] : all}
      loading={people.isPending}
      values={value === undefined ? [] : [value]}
      onChange={([id]) => onChange(id)}
    />
  )
}

function Card({ entry, words, onOpen }: { entry: Entry; words: ActivityWords; onOpen: () => void }) {
  return (
    <div className={`column gap-4 center size-13 cover p-10-12 ${classes['card']}`}>
      <button
        type="button"
        className="pointer radius-8 focus-inside cover no-border no-background"
        aria-label={`${words.action(entry.action)}: ${words.what(entry)}`}
        onClick={onOpen}
      />
      <span className={`row gap-10 between ${classes['cardHead']}`}>
        <StateBadge quiet tone={actionTones[entry.action]} label={words.action(entry.action)} />
        <span className={`size-12 secondary ${classes['quiet']}`}>
          <RelativeTime at={entry.createdAt} />
        </span>
      </span>
      <What entry={entry} words={words} />
      <Changes entry={entry} words={words} />
      <Who entry={entry} words={words} />
    </div>
  )
}
