import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { counted, formatDateTime, formatNumber, formatZonedDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { EmptyState, NoMatch, ShowAll } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { kindNames } from './kinds.ts'
import { OperationProgressBar } from './operation-progress-bar.tsx'
import { shownState, stateTones, tookSeconds } from './operation-progress.ts'
import { listStates, parseOperationsSearch, type OperationsSearch } from './search.ts'
import { useOperationWords, type OperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const route = getRouteApi('/_app/operations/')
const pageSize = 100
const cardHeight = 122

/** Running and past operations, newest first. */
export function OperationsPage() {
  const { t } = useTranslation('operations')
  const search = route.useSearch()
  const { state, by, failed } = search
  const kind = kindNames.find((each) => each === search.kind)
  const admin = auth.use().user?.role === 'admin'
  const navigate = route.useNavigate()
  const words = useOperationWords()
  const list = trpc.operations.list.useInfiniteQuery(
    {
      limit: pageSize,
      ...(state && { state }),
      ...(kind && { kind }),
      ...(by !== undefined && { ownerId: by }),
      ...(failed && { result: 'failed' as const }),
    },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  )
  const operations = useMemo(() => list.data?.pages.flatMap((page) => page.operations) ?? [], [list.data])
  const { hasNextPage, isFetching, fetchNextPage } = list
  const onRange = useCallback(
    (_from: number, to: number): void => {
      if (hasNextPage && !isFetching && to >= operations.length - 20) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, operations.length],
  )
  const columns = useColumns(words)
  const layout = useColumnLayout('operations', columns)
  const change: ChangeSearch = (part) => void navigate({ replace: true, search: (before) => parseOperationsSearch({ ...before, ...part }) })
  const filters = [kind, by, failed].filter((each) => each !== undefined).length
  return (
    <>
      <PageHeader title={t('title')} />
      <FilterBar
        search={
          <SegmentedControl
            mt={3}
            aria-label={t('list.show')}
            value={state ?? 'all'}
            onChange={(next) => change({ state: next })}
            data={[{ value: 'all', label: t('list.all') }, ...listStates.map((each) => ({ value: each, label: t(`list.${each}`) }))]}
          />
        }
        active={filters}
        onReset={() => change({ kind: undefined, by: undefined, failed: undefined })}
      >
        <FilterSelect
          label={t('list.kind')}
          options={kindNames.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          values={kind === undefined ? [] : [kind]}
          onChange={([next]) => change({ kind: next })}
        />
        {admin ? <PersonFilter value={by} onChange={(next) => change({ by: next })} /> : null}
        <FilterSelect
          label={t('list.result')}
          options={[{ value: 'failed', label: t('list.with_failures') }]}
          values={failed ? ['failed'] : []}
          onChange={([next]) => change({ failed: next === undefined ? undefined : true })}
        />
      </FilterBar>
      {list.error !== null && list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          rowCount={operations.length}
          getRow={(index) => operations[index]}
          getRowId={({ id }) => id}
          getRowLabel={words.kind}
          getRowHref={({ id }) => `/operations/${id}`}
          onRangeVisible={onRange}
          columns={columns}
          layout={layout}
          loading={list.isPending}
          refreshing={list.isPlaceholderData}
          scrollKey={JSON.stringify(search)}
          onOpen={({ id }) => void navigate({ to: '/operations/$id', params: { id } })}
          renderCard={(operation) => <Card operation={operation} words={words} />}
          cardHeight={cardHeight}
          empty={<NoOperations filtered={filters > 0} active={state === 'active'} onChange={change} />}
        />
      )}
    </>
  )
}

type ChangeSearch = (part: Partial<Record<keyof OperationsSearch, unknown>>) => void

function NoOperations({ filtered, active, onChange }: { filtered: boolean; active: boolean; onChange: ChangeSearch }) {
  const { t } = useTranslation('operations')
  return filtered ? (
    <NoMatch
      title={t('list.none_match')}
      onReset={() => onChange({ state: undefined, kind: undefined, by: undefined, failed: undefined })}
    />
  ) : active ? (
    <EmptyState picture="empty" title={t('list.empty_filter')} action={<ShowAll onClick={() => onChange({ state: undefined })} />} />
  ) : (
    <EmptyState
      picture="empty"
      title={t('list.empty')}
      text={t('list.empty_text')}
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/domains" {...props} />}>
          {t('list.empty_action')}
        </Button>
      }
    />
  )
}

function PersonFilter({ value, onChange }: { value: string | undefined; onChange: (id: string | undefined) => void }) {
  const { t } = useTranslation('operations')
  const people = trpc.activity.people.useQuery(undefined, { staleTime: 60_000 })
  return (
    <FilterSelect
      label={t('list.who')}
      options={(people.data?.people ?? []).map(({ id, name }) => ({ value: id, label: name, content: <PersonName label={name} /> }))}
      loading={people.isPending}
      values={value === undefined ? [] : [value]}
      onChange={([id]) => onChange(id)}
    />
  )
}

function useColumns(words: OperationWords): readonly DataColumn<Operation>[] {
  const { t } = useTranslation('operations')
  return [
    {
      id: 'kind',
      title: t('list.kind'),
      width: 240,
      minWidth: 180,
      grow: true,
      hideable: false,
      cell: (operation) => <Name operation={operation} words={words} />,
    },
    { id: 'state', title: t('list.state'), width: 184, cell: (operation) => <State operation={operation} words={words} /> },
    { id: 'progress', title: t('list.progress'), width: 180, minWidth: 180, cell: (operation) => <Progress operation={operation} /> },
    { id: 'who', title: t('list.who'), width: 110, hiddenAtFirst: 'narrow', cell: ({ actorName }) => <PersonName label={actorName} /> },
    { id: 'when', title: t('list.when'), width: 126, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      id: 'took',
      title: t('list.took'),
      width: 90,
      hiddenAtFirst: 'narrow',
      align: 'end',
      cell: (operation) => {
        const took = tookSeconds(operation)
        return took === null ? '—' : words.took(took)
      },
    },
  ]
}

function Name({ operation, words }: { operation: Operation; words: OperationWords }) {
  return (
    <span className={`cut flex gap-8 baseline shrink ${classes['name']}`}>
      <strong className="clip medium">{words.kind(operation)}</strong>
      <span className={`size-12 muted ${classes['quiet']}`}>{words.items(operation, operation.total)}</span>
    </span>
  )
}

function State({ operation, words }: { operation: Operation; words: OperationWords }) {
  return <StateBadge quiet tone={stateTones[shownState(operation)]} label={words.state(operation)} pulse={operation.state === 'running'} />
}

function Progress({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const { total, failed, scheduledAt } = operation
  if (scheduledAt !== null && shownState(operation) === 'scheduled') {
    return (
      <span className={`size-12 muted cut ${classes['quiet']}`} title={t('page.starts', { when: formatZonedDateTime(scheduledAt) })}>
        {t('page.starts', { when: formatDateTime(scheduledAt) })}
      </span>
    )
  }
  return (
    <span className="row gap-10 grow shrink nowrap">
      <OperationProgressBar operation={operation} />
      <span className="size-12 secondary numeric">{t('list.of', { done: formatNumber(operation.done), total: formatNumber(total) })}</span>
      {failed === 0 ? null : <span className="size-12 bad">{t('list.failed', counted(failed))}</span>}
    </span>
  )
}

function Card({ operation, words }: { operation: Operation; words: OperationWords }) {
  return (
    <Link
      to="/operations/$id"
      params={{ id: operation.id }}
      className={`column gap-6 size-13 primary radius-8 focus-inside cover p-12 ${classes['card']}`}
    >
      <Name operation={operation} words={words} />
      <State operation={operation} words={words} />
      <Progress operation={operation} />
      <span className={`size-12 muted ${classes['quiet']}`}>
        <PersonName label={operation.actorName} /> · <RelativeTime at={operation.createdAt} />
      </span>
    </Link>
  )
}
