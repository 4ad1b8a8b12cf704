import { Button, Select } from '@mantine/core'
import { IconDownload, IconPencil, IconPlus, IconRefresh, IconRouteAltRight, IconTrash, IconUpload } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { displayAddress } from '#shared/features/redirects/redirect-url.ts'
import type { Redirect, RedirectList } from '#shared/features/redirects/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { readAgain, useLiveQueries } from '#client/lib/live-queries.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { EntityListPage } from '#client/ui/layout/entity-list-page.tsx'
import { HeaderButton } from '#client/ui/layout/header-button.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { RowMenu } from '#client/ui/table/row-menu.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import type { RedirectChange } from './change-dialog.tsx'
import { parseRedirectsSearch } from './search.ts'
import { Address, RedirectOptions, useRedirectColumns } from './use-redirect-columns.tsx'
import classes from './redirects.module.css'

const ChangeDialog = lateDialog(async () => (await import('./change-dialog.tsx')).ChangeDialog)
const TestDialog = lateDialog(async () => (await import('./test-dialog.tsx')).TestDialog)

const route = getRouteApi('/_app/redirects')
const pageSize = 100
const cardHeight = 96

/** The redirects of one account. */
export function RedirectsPage() {
  const { t } = useTranslation('redirects')
  const accounts = trpc.accounts.list.useQuery({})
  const { account } = parseRedirectsSearch(route.useSearch())
  const all = accounts.data?.accounts ?? []
  const selected = all.find(({ id }) => id === account) ?? all[0]
  if (selected === undefined) {
    return (
      <EntityListPage
        title={t('title')}
        count={undefined}
        list={accounts}
        failed={t('failed')}
        untouched={
          accounts.isSuccess ? (
            <EmptyState
              picture="empty"
              title={t('no_accounts.title')}
              text={t('no_accounts.text')}
              action={
                <Button variant="default" renderRoot={(props) => <Link to="/accounts" {...props} />}>
                  {t('no_accounts.action')}
                </Button>
              }
            />
          ) : null
        }
        rows={[]}
        card={() => null}
        cardHeight={cardHeight}
      />
    )
  }
  return <AccountRedirects account={selected} accounts={all} />
}

interface Account {
  readonly id: string
  readonly email: string
}

function AccountRedirects({ account, accounts }: { account: Account; accounts: readonly Account[] }) {
  const { t } = useTranslation('redirects')
  const navigate = route.useNavigate()
  const { q = '' } = parseRedirectsSearch(route.useSearch())
  const [change, setChange] = useState<RedirectChange | null>(null)
  const [testing, setTesting] = useState(false)
  useLiveQueries('redirects')
  const { list, redirects, state, onRange } = useRedirects(account.id, q)
  const columns = useRedirectColumns()
  const layout = useColumnLayout('redirects', columns)
  const search = (part: { q?: string; account?: string }): void =>
    void navigate({ replace: true, search: (before) => parseRedirectsSearch({ ...before, ...part }) })
  const isEmpty = state?.count === 0 && q === '' && !list.isPlaceholderData
  const openForm = (): void => setChange({ kind: 'add' })
  const openImport = (): void => setChange({ kind: 'import' })
  const add = <HeaderButton main icon={IconPlus} words={t('add')} onClick={openForm} />
  const bring = <HeaderButton icon={IconUpload} words={t('import')} onClick={openImport} />
  const menu = (redirect: Redirect) => <RedirectMenu redirect={redirect} onChange={setChange} />
  return (
    <EntityListPage
      title={t('title')}
      count={state?.count}
      actions={
        <>
          <HeaderButton icon={IconRouteAltRight} words={t('test')} onClick={() => setTesting(true)} />
          {list.isError ? null : bring}
          {list.isError ? null : add}
        </>
      }
      above={
        <>
          <div className={`row wrap gap-10 ${classes['above']}`}>
            <Select
              aria-label={t('account')}
              className={classes['account'] ?? ''}
              data={accounts.map(({ id, email }) => ({ value: id, label: email }))}
              value={account.id}
              allowDeselect={false}
              searchable
              onChange={(id) => (id === null ? undefined : search({ account: id, q: '' }))}
            />
            {state === undefined ? null : <ListState account={account} list={state} />}
          </div>
          {state?.rule === 'disabled' ? <WarningBox title={t('switched_off.title')}> {t('switched_off.text')}</WarningBox> : null}
          {state?.rule === 'absent' && state.count > 0 ? <WarningBox title={t('no_rule.title')}> {t('no_rule.text')}</WarningBox> : null}
        </>
      }
      list={list}
      failed={t('failed')}
      untouched={
        isEmpty ? (
          <EmptyState
            picture="empty"
            title={t('empty.title')}
            text={t('empty.text')}
            action={
              <>
                {/* Rules of domains redirect too. */}
                <Button
                  variant="default"
                  leftSection={<IconRouteAltRight size={15} stroke={1.8} aria-hidden />}
                  onClick={() => setTesting(true)}
                >
                  {t('test')}
                </Button>
                <Button variant="default" leftSection={<IconUpload size={15} stroke={1.8} aria-hidden />} onClick={openImport}>
                  {t('import')}
                </Button>
                <Button color="iris" leftSection={<IconPlus size={15} stroke={1.8} aria-hidden />} onClick={openForm}>
                  {t('add')}
                </Button>
              </>
            }
          />
        ) : null
      }
      rows={redirects}
      onRangeVisible={onRange}
      filter={{ label: t('search'), text: q, onText: (text) => search({ q: text }), active: 0, onReset: () => search({ q: '' }) }}
      noMatch={{ title: t('no_match.title'), onReset: () => search({ q: '' }) }}
      table={{
        getRowId: ({ source }) => source,
        getRowLabel: ({ source }) => displayAddress(source),
        columns,
        layout,
        onOpen: (redirect) => setChange({ kind: 'edit', redirect }),
        rowActions: menu,
      }}
      card={(redirect) => <Card redirect={redirect} menu={menu(redirect)} />}
      cardHeight={cardHeight}
      scrollKey={`${account.id} ${q}`}
    >
      {change === null ? null : <ChangeDialog accountId={account.id} change={change} onClose={() => setChange(null)} />}
      {testing ? <TestDialog accountId={account.id} onClose={() => setTesting(false)} /> : null}
    </EntityListPage>
  )
}

function useRedirects(id: string, search: string) {
  const list = trpc.redirects.list.useInfiniteQuery(
    { id, ...(search !== '' && { search }), limit: pageSize },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  )
  const redirects = useMemo(() => list.data?.pages.flatMap((page) => page.redirects) ?? [], [list.data])
  const { hasNextPage, isFetching, fetchNextPage } = list
  const onRange = useCallback(
    (_from: number, to: number): void => {
      if (hasNextPage && !isFetching && to >= redirects.length - 20) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, redirects.length],
  )
  return { list, redirects, state: list.data?.pages[0]?.list, onRange }
}

/** How much of the plan is used, the age of the list, and what concerns it as a whole. */
function ListState({ account, list }: { account: Account; list: RedirectList }) {
  const { t } = useTranslation('redirects')
  const refresh = trpc.redirects.refresh.useMutation({ meta: { failure: t('failures.refresh') } })
  const [exporting, setExporting] = useState(false)
  const save = async (): Promise<void> => {
    setExporting(true)
    try {
      const { name, csv } = await api.redirects.export.query({ id: account.id })
      saveFile(name, 'text/csv', csv)
    } catch (error) {
      toast.failure(error, t('failures.export'))
    } finally {
      setExporting(false)
    }
  }
  return (
    <>
      <span className={`size-13 secondary ${classes['state']}`}>
        {t('used', { used: formatNumber(list.count + list.othersCount), limit: formatNumber(list.limit) })}
        {list.othersCount === 0 ? null : <span className="muted"> · {t('others', counted(list.othersCount))}</span>}
      </span>
      <span className={classes['state']}>
        <Freshness at={list.readAt} updating={refresh.isPending} />
      </span>
      <span className="flex gap-8 push">
        {list.count === 0 ? null : <HeaderButton icon={IconDownload} words={t('export')} loading={exporting} onClick={() => void save()} />}
        <HeaderButton
          icon={IconRefresh}
          words={t('refresh')}
          loading={refresh.isPending}
          onClick={() => refresh.mutate({ id: account.id }, { onSuccess: () => void readAgain('redirects') })}
        />
      </span>
    </>
  )
}

function RedirectMenu({ redirect, onChange }: { redirect: Redirect; onChange: (change: RedirectChange) => void }) {
  const { t } = useTranslation('redirects')
  return (
    <RowMenu
      label={t('row.menu', { source: displayAddress(redirect.source) })}
      hint={t('row.hint')}
      items={[
        { action: 'edit', icon: IconPencil, label: t('row.edit') },
        { action: 'delete', icon: IconTrash, label: t('row.delete'), danger: true },
      ]}
      onAction={(kind) => onChange({ kind, redirect })}
    />
  )
}

function Card({ redirect, menu }: { redirect: Redirect; menu: React.ReactNode }) {
  return (
    <div className="column gap-4 size-13">
      <span className="flex gap-8 between shrink semibold">
        <Address text={redirect.source} />
        {menu}
      </span>
      <Address text={redirect.target} />
      <span className="flex gap-8 size-12 muted shrink">
        <span className="code">{redirect.status}</span>
        <RedirectOptions redirect={redirect} />
      </span>
    </div>
  )
}
