import { Button } from '@mantine/core'
import { IconPlus, IconStethoscope } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveDialog, ShareDialog, useManyLock } from '#client/features/sharing/index.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { formatNumber } from '#client/lib/format.ts'
import { chooseOwned, ownersOf } from '#client/lib/ownership.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ColumnsMenu } from '#client/ui/columns-menu.tsx'
import type { Sort } from '#client/ui/data-table.types.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { EntityListPage } from '#client/ui/entity-list-page.tsx'
import { OwnershipFilters } from '#client/ui/ownership-filters.tsx'
import { useSelection, wholeRow } from '#client/ui/use-selection.ts'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import { AccountCard, accountCardHeight } from './account-card.tsx'
import { AccountDomainsDialog } from './account-domains-dialog.tsx'
import { useAccountUse } from './account-use.tsx'
import { AccountMenu, type AccountAction } from './account-menu.tsx'
import { CheckBanner } from './check-banner.tsx'
import { DeleteAccountsDialog } from './delete-accounts-dialog.tsx'
import { DisappearanceBanner } from './disappearance-banner.tsx'
import { EditAccountDialog } from './edit-account-dialog.tsx'
import { LoginDetailsDialog } from './login-details-dialog.tsx'
import { parseAccountsSearch, storedAccountFilter, type AccountsSearch } from './search.ts'
import { sortAccounts } from './sort-accounts.ts'
import { findUnreachable, Unreachable } from './unreachable.tsx'
import { problemOf, useAccountColumns } from './use-account-columns.tsx'

const noOwnership = { owner: undefined, whose: undefined }

const route = getRouteApi('/_app/accounts')

type Dialog =
  | { kind: 'domains' | 'login' | 'edit' | 'share' | 'leave'; id: string }
  | { kind: 'delete'; accounts: readonly Account[] }
  | null

/** All Cloudflare accounts: whether they work, how many domains they hold and how fresh those are. */
export function AccountsPage() {
  const { t } = useTranslation(['accounts', 'common'])
  // Once more: the router keeps what the first reading did not understand.
  const raw = route.useSearch()
  const search = useMemo(() => parseAccountsSearch(raw), [raw])
  const { q = '', owner, whose } = search
  const navigate = route.useNavigate()
  const utils = trpc.useUtils()
  const list = trpc.accounts.list.useQuery(q === '' ? {} : { search: q }, { placeholderData: keepPreviousData })
  const [sort, setSort] = useState<Sort>({ key: 'email', direction: 'asc' })
  const [dialog, setDialog] = useState<Dialog>(null)
  const check = trpc.accounts.check.useMutation({
    meta: { failure: t('failed.check') },
    onSuccess: (progress) => utils.accounts.checkProgress.setData(undefined, progress),
  })
  const refresh = trpc.accounts.requestSync.useMutation({
    meta: { failure: t('sync.failed') },
    onSuccess: () => toast.info(t('refresh_started')),
  })

  useLiveQueries('accounts')

  const all = list.data?.accounts
  const unreachable = findUnreachable(all ?? [])
  const rows = useMemo(() => sortAccounts(chooseOwned(all ?? [], { owner, whose }), sort), [all, sort, owner, whose])
  const owners = useMemo(() => ownersOf(all ?? []), [all])
  const filters = Number(owner !== undefined) + Number(whose !== undefined)
  const { chosen, select, clear, table: selection } = useSelection({ rows, entryOf: wholeRow })
  const lockOf = useManyLock(chosen)
  const [operable, own] = [lockOf('operate'), lockOf('own')]
  const operableIds = operable.allowed.map(({ id }) => id)
  const account = dialog !== null && dialog.kind !== 'delete' ? all?.find(({ id }) => id === dialog.id) : undefined

  const openDomains = useCallback(({ id }: Account) => setDialog({ kind: 'domains', id }), [])
  const openEdit = useCallback(({ id }: Account) => setDialog({ kind: 'edit', id }), [])
  const use = useAccountUse()
  const withProblems = (all ?? []).some((account) => problemOf(account) !== null)
  const columns = useAccountColumns(owners.length > 1, withProblems, use, openDomains, openEdit)
  const layout = useColumnLayout('accounts', columns)
  const change = useCallback(
    (part: { [K in keyof AccountsSearch]: AccountsSearch[K] | undefined }) =>
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

  const act = (id: string, action: AccountAction): void => {
    switch (action) {
      case 'check':
        return check.mutate({ ids: [id] })
      case 'refresh':
        return refresh.mutate({ ids: [id] })
      case 'delete':
        return setDialog({ kind: 'delete', accounts: rows.filter((row) => row.id === id) })
      default:
        return setDialog({ kind: action, id })
    }
  }
  const add = (label: string, variant: 'filled' | 'default' = 'filled') => (
    <Button variant={variant} leftSection={<IconPlus size={15} stroke={2} />} onClick={() => quickAdd.set('account')}>
      {label}
    </Button>
  )

  const untouched = all?.length === 0 && q === '' && filters === 0 && !list.isPlaceholderData
  return (
    <EntityListPage
      title={t('title')}
      count={all?.length}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconStethoscope size={15} stroke={1.8} />}
            loading={check.isPending}
            disabled={all?.some(({ shared }) => allows(shared, 'own')) === false}
            onClick={() => check.mutate({})}
          >
            {t('check.all')}
          </Button>
          {add(t('add'))}
        </>
      }
      above={
        <>
          <CheckBanner />
          <DisappearanceBanner accounts={all ?? []} />
          {unreachable === undefined ? null : <Unreachable account={unreachable} as="notice" />}
        </>
      }
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
        filters:
          owners.length > 1 || filters > 0 ? (
            <OwnershipFilters
              search={search}
              owners={owners}
              shared={all?.some(({ shared }) => shared !== null) === true}
              onChange={change}
            />
          ) : undefined,
        active: filters,
        onReset: () => change(noOwnership),
        tools: <ColumnsMenu columns={columns} layout={layout} />,
      }}
      noMatch={{
        title: t('no_match.title'),
        text: filters > 0 ? t('common:filters.not_theirs') : t('no_match.text', { search: q }),
        action: t('no_match.action'),
        onAction: () => change({ q: undefined, ...noOwnership }),
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
        rowActions: (row) => <AccountMenu account={row} onAction={(action) => act(row.id, action)} />,
      }}
      card={(row) => (
        <AccountCard
          account={row}
          use={use}
          selected={selection.isSelected(row)}
          onSelect={(value) => select([row], value)}
          onAction={(action) => act(row.id, action)}
        />
      )}
      cardHeight={accountCardHeight}
      bulk={{
        count: chosen.length,
        label: t('selected', { count: chosen.length, formatted: formatNumber(chosen.length) }),
        note: operable.lock ?? operable.note,
        onClear: clear,
        actions: (
          <>
            <Button
              variant="default"
              size="xs"
              disabled={operable.lock !== null}
              title={operable.lock ?? undefined}
              loading={check.isPending}
              onClick={() => check.mutate({ ids: operableIds })}
            >
              {t('check.selected')}
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={operable.lock !== null}
              title={operable.lock ?? undefined}
              loading={refresh.isPending}
              onClick={() => refresh.mutate({ ids: operableIds })}
            >
              {t('refresh')}
            </Button>
            <Button
              variant="light"
              color="red"
              size="xs"
              disabled={own.lock !== null}
              title={own.lock ?? own.note ?? undefined}
              onClick={() => setDialog({ kind: 'delete', accounts: own.allowed })}
            >
              {t('actions.delete')}
            </Button>
          </>
        ),
      }}
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

function Dialogs({
  dialog,
  account,
  onEdit,
  onDeleted,
  onClose,
}: {
  dialog: Dialog
  /** The one that it is about. */
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
      {account !== undefined && dialog?.kind === 'share' ? (
        <Suspense>
          <ShareDialog
            thing={{ accountId: account.id }}
            name={account.name || account.email}
            domains={account.zonesCount}
            onClose={onClose}
          />
        </Suspense>
      ) : null}
      {account !== undefined && account.shared !== null && dialog?.kind === 'leave' ? (
        <Suspense>
          <LeaveDialog
            thing={{ accountId: account.id }}
            name={account.name || account.email}
            shared={account.shared}
            domains={account.zonesCount}
            onClose={onClose}
          />
        </Suspense>
      ) : null}
      {account !== undefined && dialog?.kind === 'edit' ? <EditAccountDialog account={account} onClose={onClose} /> : null}
    </>
  )
}
