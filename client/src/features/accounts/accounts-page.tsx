import { Button } from '@mantine/core'
import { IconPlus, IconStethoscope } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SharingDialog, useManyLock } from '#client/features/sharing/index.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted } from '#client/lib/format.ts'
import { chooseOwned, noOwnership } from '#client/lib/ownership.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import type { Sort } from '#client/ui/table/data-table.types.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { EntityListPage } from '#client/ui/layout/entity-list-page.tsx'
import { useOwnershipFilters } from '#client/ui/filter/ownership-filters.tsx'
import { sortRows } from '#client/ui/table/sort-rows.ts'
import { useSelection, wholeRow } from '#client/ui/table/use-selection.ts'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { AccountCard, accountCardHeight } from './account-card.tsx'
import { useAccountUse } from './account-use.tsx'
import { AccountMenu, type AccountAction } from './account-menu.tsx'
import { CheckBanner } from './check-banner.tsx'
import { DisappearanceBanner } from './disappearance-banner.tsx'
import { MissingRecordsBanner } from './missing-records-banner.tsx'
import { parseAccountsSearch, storedAccountFilter, type AccountsSearch } from './search.ts'
import { findUnreachable, Unreachable } from './unreachable.tsx'
import { useAccountColumns } from './use-account-columns.tsx'

const AccountDomainsDialog = lateDialog(async () => (await import('./account-domains-dialog.tsx')).AccountDomainsDialog)
const DeleteAccountsDialog = lateDialog(async () => (await import('./delete-accounts-dialog.tsx')).DeleteAccountsDialog)
const IpAccessDialog = lateDialog(async () => (await import('./ip-access-dialog.tsx')).IpAccessDialog)
const EditAccountDialog = lateDialog(async () => (await import('./edit-account-dialog.tsx')).EditAccountDialog)
const LoginDetailsDialog = lateDialog(async () => (await import('./login-details-dialog.tsx')).LoginDetailsDialog)

const route = getRouteApi('/_app/accounts')

const worstFirst: Record<Account['health'], number> = { auth_error: 0, api_error: 1, unknown: 2, working: 3 }

const sortKeys: Record<string, (account: Account) => string | number> = {
  email: (account) => (account.name || account.email).toLowerCase(),
  health: (account) => worstFirst[account.health],
  zonesCount: (account) => account.zonesCount,
  syncedAt: (account) => account.sync.syncedAt ?? '',
  createdAt: (account) => account.createdAt,
}

type Dialog =
  | { kind: 'domains' | 'login' | 'edit' | 'ip_access' | 'share' | 'leave'; id: string }
  | { kind: 'delete'; accounts: readonly Account[] }
  | null

/** All Cloudflare accounts with their health, number of domains and sync state. */
export function AccountsPage() {
  const { t } = useTranslation(['accounts', 'common'])
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const raw = route.useSearch()
  const search = useMemo(() => parseAccountsSearch(raw), [raw])
  const { q = '', owner, whose } = search
  const list = trpc.accounts.list.useQuery(q === '' ? {} : { search: q }, { placeholderData: keepPreviousData })
  const [sort, setSort] = useState<Sort>({ key: 'email', direction: 'asc' })
  const [dialog, setDialog] = useState<Dialog>(null)
  const actions = useAccountActions(setDialog)
  useLiveQueries('accounts')

  const all = list.data?.accounts
  const rows = useMemo(
    () => sortRows(chooseOwned(all ?? [], { owner, whose }), sort, sortKeys, ({ email }) => email),
    [all, sort, owner, whose],
  )
  const change = useChangeSearch()
  const ownership = useOwnershipFilters(all, search, change)
  const { selectedRows, select, clear, table: selection } = useSelection({ rows, entryOf: wholeRow })
  const account = dialog !== null && dialog.kind !== 'delete' ? all?.find(({ id }) => id === dialog.id) : undefined

  const openDomains = useCallback(({ id }: Account) => setDialog({ kind: 'domains', id }), [])
  const openEdit = useCallback(({ id }: Account) => setDialog({ kind: 'edit', id }), [])
  const use = useAccountUse()
  const columns = useAccountColumns(ownership.withOwner, use, openDomains, openEdit)
  const layout = useColumnLayout('accounts', columns)
  const add = (label: string, variant: 'filled' | 'default' = 'filled') => (
    <Button variant={variant} leftSection={<IconPlus size={15} stroke={2} />} onClick={() => quickAdd.set('account')}>
      {label}
    </Button>
  )

  const bulk = useBulk(selectedRows, clear, actions, (accounts) => setDialog({ kind: 'delete', accounts }))
  const untouched = all?.length === 0 && q === '' && ownership.filter.active === 0 && !list.isPlaceholderData
  return (
    <EntityListPage
      title={t('title')}
      count={all?.length}
      actions={
        <>
          <CheckAll accounts={all} check={actions.check} />
          {add(t('add'))}
        </>
      }
      above={<Notices accounts={all ?? []} />}
      list={list}
      failed={t('failed.load')}
      untouched={
        untouched ? <EmptyState picture="key" title={t('empty.title')} text={t('empty.text')} action={add(t('empty.action'))} /> : null
      }
      rows={rows}
      filter={{
        label: t('search'),
        text: q,
        onText: (text) => change({ q: text }),
        ...ownership.filter,
        tools: <ColumnsMenu columns={columns} layout={layout} />,
      }}
      noMatch={{
        text: ownership.filter.active > 0 ? t('common:filters.not_theirs') : t('no_match.text', { search: q }),
        onReset: () => change({ q: undefined, ...noOwnership }),
      }}
      table={{
        getRowId: ({ id }) => id,
        getRowLabel: ({ email }) => email,
        columns,
        layout,
        sort,
        onSort: setSort,
        selection,
        onOpen: openDomains,
        rowActions: (row) => <AccountMenu account={row} onAction={(action) => actions.act(row, action)} />,
      }}
      card={(row) => (
        <AccountCard
          account={row}
          use={use}
          selected={selection.isSelected(row)}
          onSelect={(value) => select([row], value)}
          onAction={(action) => actions.act(row, action)}
        />
      )}
      cardHeight={accountCardHeight}
      bulk={bulk}
    >
      <Dialogs
        dialog={dialog}
        account={account}
        onEdit={openEdit}
        onDeleted={(deleted) => select(deleted, false)}
        onClose={() => setDialog(null)}
      />
    </EntityListPage>
  )
}

function Notices({ accounts }: { accounts: readonly Account[] }) {
  const unreachable = findUnreachable(accounts)
  return (
    <>
      <CheckBanner />
      <DisappearanceBanner accounts={accounts} />
      <MissingRecordsBanner accounts={accounts} />
      {unreachable === undefined ? null : <Unreachable account={unreachable} as="notice" />}
    </>
  )
}

/** The actions on accounts, most of them in a dialog. */
function useAccountActions(open: (dialog: Dialog) => void) {
  const { t } = useTranslation('accounts')
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const check = trpc.accounts.check.useMutation({
    meta: { failure: t('failed.check') },
    // An answer on its way could replace this one before it is rendered: a quick check would end without its result being reported.
    onSuccess: async (progress) => {
      await utils.accounts.checkProgress.cancel()
      utils.accounts.checkProgress.setData(undefined, progress)
      await utils.accounts.checkProgress.invalidate()
    },
  })
  const refresh = trpc.accounts.requestSync.useMutation({
    meta: { failure: t('sync.failed') },
    onSuccess: () => toast.info(t('refresh_started')),
  })
  const act = (account: Account, action: AccountAction): void => {
    switch (action) {
      case 'check':
        return check.mutate({ ids: [account.id] })
      case 'refresh':
        return refresh.mutate({ ids: [account.id] })
      case 'changes':
        return void navigate({ to: '/activity-logs/changes', search: { account: account.id } })
      case 'delete':
        return open({ kind: 'delete', accounts: [account] })
      default:
        return open({ kind: action, id: account.id })
    }
  }
  return { check, refresh, act }
}

function useChangeSearch() {
  const navigate = route.useNavigate()
  return useCallback(
    (part: SearchPart<AccountsSearch>) =>
      void navigate({
        replace: true,
        search: (before) => {
          const next = parseAccountsSearch({ ...before, ...part })
          storedAccountFilter.set(next)
          return next
        },
      }),
    [navigate],
  )
}

type Actions = ReturnType<typeof useAccountActions>

function CheckAll({ accounts, check }: { accounts: readonly Account[] | undefined; check: Actions['check'] }) {
  const { t } = useTranslation('accounts')
  return (
    <Button
      variant="default"
      leftSection={<IconStethoscope size={15} stroke={1.8} />}
      loading={check.isPending}
      disabled={accounts?.some(({ shared }) => allows(shared, 'own')) === false}
      onClick={() => check.mutate({})}
    >
      {t('check.all')}
    </Button>
  )
}

/** The bulk actions on the selected accounts. */
function useBulk(
  selectedRows: readonly Account[],
  onClear: () => void,
  { check, refresh }: Actions,
  onDelete: (accounts: readonly Account[]) => void,
) {
  const { t } = useTranslation('accounts')
  const lockOf = useManyLock(selectedRows)
  const [operable, own] = [lockOf('operate'), lockOf('own')]
  const ids = operable.allowed.map(({ id }) => id)
  return {
    count: selectedRows.length,
    label: t('selected', counted(selectedRows.length)),
    note: operable.lock ?? operable.note,
    onClear,
    actions: (
      <>
        <Button
          variant="default"
          size="xs"
          disabled={operable.lock !== null}
          title={operable.lock ?? undefined}
          loading={check.isPending}
          onClick={() => check.mutate({ ids: ids })}
        >
          {t('check.selected')}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={operable.lock !== null}
          title={operable.lock ?? undefined}
          loading={refresh.isPending}
          onClick={() => refresh.mutate({ ids: ids })}
        >
          {t('refresh')}
        </Button>
        <Button
          variant="light"
          color="red"
          size="xs"
          disabled={own.lock !== null}
          title={own.lock ?? own.note ?? undefined}
          onClick={() => onDelete(own.allowed)}
        >
          {t('actions.delete')}
        </Button>
      </>
    ),
  }
}

function Dialogs({
  dialog,
  account,
  onEdit,
  onDeleted,
  onClose,
}: {
  dialog: Dialog
  /** The account that the dialog is about. */
  account: Account | undefined
  onEdit: (account: Account) => void
  onDeleted: (accounts: readonly Account[]) => void
  onClose: () => void
}) {
  return (
    <>
      {dialog?.kind === 'delete' ? (
        <DeleteAccountsDialog accounts={dialog.accounts} onDone={() => onDeleted(dialog.accounts)} onClose={onClose} />
      ) : null}
      {account !== undefined && dialog?.kind === 'domains' ? (
        <AccountDomainsDialog account={account} onChangeKey={() => onEdit(account)} onClose={onClose} />
      ) : null}
      {account !== undefined && dialog?.kind === 'login' ? <LoginDetailsDialog account={account} onClose={onClose} /> : null}
      {account !== undefined && (dialog?.kind === 'share' || dialog?.kind === 'leave') ? (
        <SharingDialog
          kind={dialog.kind}
          target={{ accountId: account.id }}
          name={account.name || account.email}
          shared={account.shared}
          domains={account.zonesCount}
          onClose={onClose}
        />
      ) : null}
      {account !== undefined && dialog?.kind === 'edit' ? <EditAccountDialog account={account} onClose={onClose} /> : null}
      {account !== undefined && dialog?.kind === 'ip_access' ? <IpAccessDialog account={account} onClose={onClose} /> : null}
    </>
  )
}
