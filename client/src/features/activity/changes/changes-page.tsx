import { Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowsDiff, IconShieldCheck } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { formatAbout } from '#client/lib/format.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { trpc } from '#client/lib/trpc.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { HeaderButton } from '#client/ui/layout/header-button.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import { pagedRows } from '#client/ui/table/paged-rows.ts'
import { RowMenu } from '#client/ui/table/row-menu.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { ActivityTabs } from '../activity-tabs.tsx'
import { ChangesFilters } from './changes-filters.tsx'
import { ChangeFeedNotices } from './feed-notices.tsx'
import { parseChangesSearch, queryOf, type Change, type ChangesSearch } from './search.ts'
import { ReviewAll, ReviewState, useReview, type Review } from './review.tsx'
import { DomainName, useProviderChangeColumns, What } from './use-provider-change-columns.tsx'
import { actionTone, useProviderChangeWords, type ProviderChangeWords } from './use-provider-change-words.ts'
import classes from './changes.module.css'

const AllowDialog = lateDialog(async () => (await import('./allow-dialog.tsx')).AllowDialog)
const EntriesDialog = lateDialog(async () => (await import('./entries-dialog.tsx')).EntriesDialog)
const AllowedDialog = lateDialog(async () => (await import('./allowed-dialog.tsx')).AllowedDialog)

const route = getRouteApi('/_app/activity-logs/changes')
const pageSize = 50
/** Four lines, and one each for the review and an address. */
const cardHeight = (change: Change | undefined): number =>
  134 + (change?.isOwn === true ? 0 : 26) + (change?.actor.address == null ? 0 : 22)

/** What was changed in the accounts at the provider, by whom and from where, according to the provider's audit log. */
export function ChangesPage() {
  const { t } = useTranslation('provider-changes')
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const search = parseChangesSearch(route.useSearch())
  const navigate = route.useNavigate()
  const words = useProviderChangeWords()
  const all = trpc.accounts.list.useQuery({}).data?.accounts
  const accounts = useMemo(() => all?.filter(({ id }) => search.account === undefined || id === search.account), [all, search.account])
  const review = useReview(all)
  const query = queryOf(search)
  const list = trpc.providerChanges.list.useInfiniteQuery(
    { ...query, limit: pageSize },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  )
  const changes = useMemo(() => list.data?.pages.flatMap((page) => page.changes) ?? [], [list.data])
  // New changes appear automatically unless the user has scrolled down.
  useLiveQueries('providerChanges', (list.data?.pages.length ?? 0) <= 1)
  useLiveQueries('accounts')
  const columns = useProviderChangeColumns(words, review)
  const layout = useColumnLayout('provider-changes', columns)
  const change = (part: SearchPart<ChangesSearch>): void =>
    void navigate({ replace: true, search: (before) => parseChangesSearch({ ...before, ...part }) })
  const reset = (): void => void navigate({ replace: true, search: {} })
  const [allowing, setAllowing] = useState<Change | null>(null)
  const [showsRules, setShowsRules] = useState(false)
  const [examined, setExamined] = useState<{ change: Change; reverts: boolean } | null>(null)
  const onAction = (row: Change, action: ChangeAction): void =>
    action === 'allow' ? setAllowing(row) : setExamined({ change: row, reverts: action === 'revert' })
  const menuOf = (row: Change) =>
    row.isOwn ? null : (
      <ChangeMenu change={row} words={words} mayAllow={review.mayAllow(row)} onAction={(action) => onAction(row, action)} />
    )
  const { from, to, ...others } = search
  const active = Object.keys(others).length + (from === undefined && to === undefined ? 0 : 1)
  return (
    <>
      <PageHeader
        title={t('title')}
        meta={<Delay accounts={accounts ?? []} />}
        actions={
          <>
            <HeaderButton icon={IconShieldCheck} words={t('allowed.title')} onClick={() => setShowsRules(true)} />
            <ReviewAll changes={changes} accountId={search.account} readUntil={list.data?.pages[0]?.readUntil} review={review} />
          </>
        }
      />
      <ActivityTabs />
      <ChangeFeedNotices accounts={accounts ?? []} />
      <FilterBar search={null} active={active} onReset={reset} tools={<ColumnsMenu columns={columns} layout={layout} />}>
        <ChangesFilters search={search} accounts={all} changes={changes} words={words} onChange={change} />
      </FilterBar>
      {list.error !== null && list.data === undefined ? (
        <ErrorState title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          {...pagedRows(list, changes)}
          getRowId={({ id }) => id}
          getRowLabel={words.what}
          columns={columns}
          layout={layout}
          refreshing={list.isPlaceholderData}
          scrollKey={JSON.stringify(query)}
          rowActions={menuOf}
          renderCard={(row) => <Card change={row} words={words} review={review} menu={menuOf(row)} />}
          cardHeight={cardHeight}
          empty={<Nothing accounts={accounts} search={search} active={active} onReset={reset} onShowOwn={() => change({ own: 'yes' })} />}
        />
      )}
      {allowing === null ? null : <AllowDialog change={allowing} accounts={all} words={words} onClose={() => setAllowing(null)} />}
      {examined === null ? null : (
        <EntriesDialog
          {...examined}
          words={words}
          onReverted={() => (review.mayReview(examined.change) ? review.mark(examined.change) : undefined)}
          onClose={() => setExamined(null)}
        />
      )}
      {showsRules ? <AllowedDialog words={words} onClose={() => setShowsRules(false)} /> : null}
    </>
  )
}

type ChangeAction = 'entries' | 'revert' | 'allow'

function ChangeMenu({
  change,
  words,
  mayAllow,
  onAction,
}: {
  change: Change
  words: ProviderChangeWords
  mayAllow: boolean
  onAction: (action: ChangeAction) => void
}) {
  const { t } = useTranslation('provider-changes')
  return (
    <RowMenu
      label={t('menu.label', { what: words.what(change) })}
      hint={t('menu.hint')}
      items={[
        { action: 'entries', icon: IconArrowsDiff, label: t('menu.entries') },
        { action: 'revert', icon: IconArrowBackUp, label: t('menu.revert') },
        ...(mayAllow ? [{ action: 'allow', icon: IconShieldCheck, label: t('menu.allow') } as const] : []),
      ]}
      onAction={onAction}
    />
  )
}

/** How late changes appear: the longest delays of the accounts. */
function Delay({ accounts }: { accounts: readonly Account[] }) {
  const { t } = useTranslation('provider-changes')
  const feeds = accounts.flatMap(({ changeFeed }) => changeFeed ?? [])
  const delays = feeds.flatMap(({ delaySeconds }) => delaySeconds ?? [])
  if (delays.length === 0) return null
  const longest = feeds.map(({ longestDelaySeconds }) => longestDelaySeconds ?? 0)
  return (
    <span title={t('delay_help')}>
      {t('delay', { last: formatAbout(Math.max(...delays)), longest: formatAbout(Math.max(...longest)) })}
    </span>
  )
}

/** Why there are no changes, and what can be done about it. */
function Nothing({
  accounts,
  search,
  active,
  onReset,
  onShowOwn,
}: {
  accounts: readonly Account[] | undefined
  search: ChangesSearch
  active: number
  onReset: () => void
  onShowOwn: () => void
}) {
  const { t } = useTranslation('provider-changes')
  const { account, own, ...others } = search
  if (Object.keys(others).length > 0) return <NoMatch title={t('no_match')} onReset={onReset} />
  const all = (
    <Button variant="default" renderRoot={(props) => <Link to="/accounts" {...props} />}>
      {t('feed.accounts')}
    </Button>
  )
  if (accounts?.length === 0 && account === undefined) {
    return <EmptyState picture="key" title={t('no_accounts.title')} text={t('no_accounts.text')} action={all} />
  }
  const unreadable = (accounts ?? []).filter(
    ({ changeFeed }) => changeFeed?.state === 'no_permission' || changeFeed?.state === 'account_unclear',
  )
  if (accounts !== undefined && unreadable.length > 0 && unreadable.length === accounts.length) {
    return <EmptyState picture="key" title={t('unreadable.title')} text={t('unreadable.text')} action={all} />
  }
  const isUnread = accounts?.every(({ changeFeed }) => changeFeed?.readAt == null) === true
  return (
    <EmptyState
      picture={active > 0 ? 'search' : 'empty'}
      title={t(isUnread ? 'unread.title' : own === undefined ? 'none_outside.title' : 'none.title')}
      text={t(isUnread ? 'unread.text' : 'none.text')}
      action={
        own === undefined && !isUnread ? (
          <Button variant="default" onClick={onShowOwn}>
            {t('show_own')}
          </Button>
        ) : undefined
      }
    />
  )
}

function Card({ change, words, review, menu }: { change: Change; words: ProviderChangeWords; review: Review; menu: ReactNode }) {
  const via = words.via(change)
  return (
    <div className={`column gap-4 center size-13 p-10-12 fill ${classes['card']}`}>
      <span className="row gap-10 between">
        <StateBadge quiet tone={actionTone(change)} label={words.action(change)} />
        <span className="row gap-8 size-12 secondary">
          <RelativeTime at={change.at} />
          {menu}
        </span>
      </span>
      <span className="flex gap-8 baseline shrink">
        {change.domain === null ? <bdi className="cut block shrink">{change.account.name}</bdi> : <DomainName domain={change.domain} />}
        <span className="size-12 secondary fixed">{words.kind(change.kind)}</span>
      </span>
      <What change={change} words={words} />
      <span className="flex gap-8 baseline shrink">
        <bdi className="cut block shrink">{words.author(change)}</bdi>
        {via === null ? null : <span className="size-12 secondary fixed">{via}</span>}
      </span>
      {change.isOwn ? null : (
        <span>
          <ReviewState change={change} review={review} />
        </span>
      )}
      {change.actor.address === null ? null : <span className="mono size-12 secondary cut">{change.actor.address}</span>}
    </div>
  )
}
