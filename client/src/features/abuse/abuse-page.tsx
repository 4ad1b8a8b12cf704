import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { abuseKinds, abuseStates } from '#shared/features/abuse-reports/names.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { trpc } from '#client/lib/trpc.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterChip } from '#client/ui/filter/filter-chip.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import { pagedRows } from '#client/ui/table/paged-rows.ts'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { AbuseFeedNotices } from './feed-notices.tsx'
import { parseAbuseSearch, queryOf, type AbuseSearch, type Report } from './search.ts'
import { Due, useAbuseColumns } from './use-abuse-columns.tsx'
import { stateTones, useAbuseWords, type AbuseWords } from './use-abuse-words.ts'

const AbuseDialog = lazyPart(async () => (await import('./abuse-dialog.tsx')).AbuseDialog)
const route = getRouteApi('/_app/abuse-reports/')
const pageSize = 50
const cardHeight = 116

/** What others reported to the provider about domains of all accounts, and what people do about it. */
export function AbusePage() {
  const { t } = useTranslation('abuse-reports')
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const search = parseAbuseSearch(route.useSearch())
  const navigate = route.useNavigate()
  const words = useAbuseWords()
  const all = trpc.accounts.list.useQuery({}).data?.accounts
  const accounts = useMemo(() => all?.filter(({ id }) => search.account === undefined || id === search.account), [all, search.account])
  const query = queryOf(search)
  const list = trpc.abuseReports.list.useInfiniteQuery(
    { ...query, limit: pageSize },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  )
  const reports = useMemo(() => list.data?.pages.flatMap((page) => page.abuseReports) ?? [], [list.data])
  useLiveQueries('abuseReports')
  useLiveQueries('accounts')
  const columns = useAbuseColumns(words)
  const layout = useColumnLayout('abuse-reports', columns)
  const change = (part: SearchPart<AbuseSearch>): void =>
    void navigate({ replace: true, search: (before) => parseAbuseSearch({ ...before, ...part }) })
  const reset = (): void => void navigate({ replace: true, search: {} })
  const { account, domain, kind, state, q = '', report } = search
  const active = [account, domain, kind, state].filter((each) => each !== undefined).length
  return (
    <>
      <PageHeader title={t('title')} />
      <AbuseFeedNotices accounts={accounts ?? []} />
      <FilterBar
        search={<SearchInput label={t('search')} value={q} onChange={(text) => change({ q: text })} />}
        active={active}
        onReset={reset}
        tools={<ColumnsMenu columns={columns} layout={layout} />}
      >
        <FilterSelect
          label={t('filters.state')}
          options={abuseStates.map((value) => ({ value, label: t(`states.${value}`) }))}
          values={state === undefined ? [] : [state]}
          onChange={([next]) => change({ state: next })}
        />
        <FilterSelect
          label={t('filters.kind')}
          options={abuseKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          values={kind === undefined ? [] : [kind]}
          onChange={([next]) => change({ kind: next })}
        />
        <AccountFilter value={account} accounts={all} onChange={(next) => change({ account: next })} />
        {domain === undefined ? null : <DomainChip id={domain} reports={reports} onClear={() => change({ domain: undefined })} />}
      </FilterBar>
      {list.error !== null && list.data === undefined ? (
        <ErrorState title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          {...pagedRows(list, reports)}
          getRowId={({ id }) => id}
          getRowLabel={(each) => each.domain.displayName}
          columns={columns}
          layout={layout}
          refreshing={list.isPlaceholderData}
          scrollKey={JSON.stringify(query)}
          onOpen={({ id }) => change({ report: id })}
          renderCard={(row) => <Card report={row} words={words} onOpen={() => change({ report: row.id })} />}
          cardHeight={cardHeight}
          empty={<Nothing accounts={accounts} isFiltered={active > (account === undefined ? 0 : 1) || q !== ''} onReset={reset} />}
        />
      )}
      {report === undefined ? null : (
        <Suspense>
          <AbuseDialog key={report} id={report} words={words} onClose={() => change({ report: undefined })} />
        </Suspense>
      )}
    </>
  )
}

/** More options are found by typing. */
const mostOptions = 100

function AccountFilter({
  value,
  accounts,
  onChange,
}: {
  value: string | undefined
  accounts: readonly Account[] | undefined
  onChange: (id: string | undefined) => void
}) {
  const { t } = useTranslation(['abuse-reports', 'common'])
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const options = (accounts ?? [])
    .filter(({ id, name, email }) => id === value || `${name ?? ''} ${email}`.toLowerCase().includes(wanted))
    .map(({ id, name, email }) => ({ value: id, label: name || email }))
    .toSorted((one, other) => Number(other.value === value) - Number(one.value === value))
  const isKnown = value === undefined || options.some((option) => option.value === value)
  const unknown = isKnown ? [] : [{ value, label: accounts === undefined ? '…' : t('common:filters.unknown') }]
  return (
    <FilterSelect
      label={t('filters.account')}
      options={[...unknown, ...options].slice(0, mostOptions)}
      values={value === undefined ? [] : [value]}
      onSearch={setTyped}
      loading={accounts === undefined}
      onChange={([id]) => onChange(id)}
    />
  )
}

/** The domain that a link named. */
function DomainChip({ id, reports, onClear }: { id: string; reports: readonly Report[]; onClear: () => void }) {
  const { t } = useTranslation(['abuse-reports', 'common'])
  const ofList = reports.find(({ domain }) => domain.id === id)?.domain.displayName
  const named = trpc.domains.get.useQuery({ id }, { enabled: ofList === undefined })
  const name = named.data?.zone.displayName ?? ofList ?? (named.isError ? t('common:filters.unknown') : '…')
  return (
    <FilterChip label={t('filters.domain')} choice={name} onClear={onClear}>
      {(chip) => <button {...chip} onClick={onClear} />}
    </FilterChip>
  )
}

/** Why there are no reports, and what can be done about it. */
function Nothing({
  accounts,
  isFiltered,
  onReset,
}: {
  accounts: readonly Account[] | undefined
  isFiltered: boolean
  onReset: () => void
}) {
  const { t } = useTranslation('abuse-reports')
  if (isFiltered) return <NoMatch title={t('no_match')} onReset={onReset} />
  const all = (
    <Button variant="default" renderRoot={(props) => <Link to="/accounts" {...props} />}>
      {t('feed.accounts')}
    </Button>
  )
  if (accounts?.length === 0) return <EmptyState picture="key" title={t('no_accounts.title')} text={t('no_accounts.text')} action={all} />
  const isUnreadable = ({ abuseFeed }: Account) => abuseFeed?.state === 'no_permission' || abuseFeed?.state === 'account_unclear'
  if (accounts?.every(isUnreadable) === true) {
    return <EmptyState picture="key" title={t('unreadable.title')} text={t('unreadable.text')} action={all} />
  }
  const isUnread = accounts?.every(({ abuseFeed }) => abuseFeed?.readAt == null) === true
  return isUnread ? (
    <EmptyState picture="empty" title={t('unread.title')} text={t('unread.text')} />
  ) : (
    <EmptyState picture="calm" title={t('none.title')} text={t('none.text')} />
  )
}

function Card({ report, words, onOpen }: { report: Report; words: AbuseWords; onOpen: () => void }) {
  const { t } = useTranslation('abuse-reports')
  return (
    <div className="column gap-4 center size-13 cover p-10-12">
      <button
        type="button"
        className="pointer radius-8 focus-inside cover no-border no-background"
        aria-label={`${t(`kinds.${report.kind}`)}: ${report.domain.displayName}`}
        onClick={onOpen}
      />
      <span className="row gap-10 between">
        <StateBadge quiet tone={stateTones[report.state]} label={t(`states.${report.state}`)} />
        <span className="size-12 secondary">
          <RelativeTime at={report.reportedAt} />
        </span>
      </span>
      <bdi className="mono cut block shrink">{report.domain.displayName}</bdi>
      <span className="flex gap-8 baseline shrink">
        <span className="cut block shrink">{t(`kinds.${report.kind}`)}</span>
        {Object.values(report.mitigations).every((count) => count === 0) ? null : (
          <span className="size-12 secondary cut block shrink">{words.mitigations(report)}</span>
        )}
      </span>
      <span className="flex gap-8 baseline shrink size-12 secondary">
        <bdi className="cut block shrink">{report.assignee?.name ?? report.account.name}</bdi>
        {report.dueOn === null ? null : <Due report={report} />}
      </span>
    </div>
  )
}
