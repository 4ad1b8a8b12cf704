import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { auth } from '#client/lib/auth.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { counted } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import type { Sort } from '#client/ui/table/data-table.types.ts'
import { EntityListPage } from '#client/ui/layout/entity-list-page.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { sortRows } from '#client/ui/table/sort-rows.ts'
import { useSelection, wholeRow } from '#client/ui/table/use-selection.ts'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { RegistrationNotice } from '#client/features/auth/index.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { parseUsersSearch, type UsersSearch } from './search.ts'
import type { UserDialogState } from './user-dialogs.tsx'
import { useUserColumns } from './use-user-columns.tsx'
import { UserActions, type UserAction } from './user-actions.tsx'
import { UserCard, userCardHeight } from './user-card.tsx'

const UserDialogs = lateDialog(async () => (await import('./user-dialogs.tsx')).UserDialogs)

const route = getRouteApi('/_app/users')

const sortKeys: Record<string, (user: ManagedUser) => string | number> = {
  username: ({ username }) => username.toLowerCase(),
  email: ({ email }) => email,
  role: ({ role }) => role,
  accountsCount: ({ accountsCount }) => accountsCount,
  registrarsCount: ({ registrarsCount }) => registrarsCount,
  domainsCount: ({ domainsCount }) => domainsCount,
  groupsCount: ({ groupsCount }) => groupsCount,
  secured: ({ secured }) => Number(secured),
  lastSeenAt: ({ lastSeenAt }) => lastSeenAt ?? '',
  createdAt: ({ createdAt }) => createdAt,
}

/** All users, for administrators. */
export function UsersPage() {
  const { t } = useTranslation('users')
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const search = parseUsersSearch(route.useSearch())
  const { q = '', role, state } = search
  const navigate = route.useNavigate()
  const own = auth.use().user?.id
  const list = trpc.users.list.useQuery(
    { ...(q !== '' && { search: q }), ...(role && { role }), ...(state && { state }) },
    { placeholderData: keepPreviousData },
  )
  const [sort, setSort] = useState<Sort>({ key: 'username', direction: 'asc' })
  const [dialog, setDialog] = useState<UserDialogState | null>(null)
  useLiveQueries('users')

  const all = list.data?.users
  const rows = useMemo(() => sortRows(all ?? [], sort, sortKeys, ({ username }) => username), [all, sort])
  const { selectedRows, select, clear, table: selection } = useSelection({ rows, entryOf: wholeRow })
  const user = dialog !== null && 'id' in dialog ? all?.find(({ id }) => id === dialog.id) : undefined
  const { act, askToDelete } = useUserActions(setDialog)
  const columns = useUserColumns()
  const layout = useColumnLayout('users', columns)
  const change = (part: SearchPart<UsersSearch>): void =>
    void navigate({ replace: true, search: (before) => parseUsersSearch({ ...before, ...part }) })
  return (
    <EntityListPage
      title={t('title')}
      count={all?.length}
      actions={
        <Button leftSection={<IconUserPlus size={15} stroke={1.8} />} onClick={() => quickAdd.set('user')}>
          {t('add')}
        </Button>
      }
      above={<RegistrationNotice />}
      list={list}
      failed={t('failed.load')}
      rows={rows}
      filter={{
        label: t('search'),
        text: q,
        onText: (text) => change({ q: text }),
        filters: <UserFilters search={search} onChange={change} />,
        active: [role, state].filter((each) => each !== undefined).length,
        onReset: () => change({ role: undefined, state: undefined }),
        tools: <ColumnsMenu columns={columns} layout={layout} />,
      }}
      noMatch={{
        text: t('no_match.text'),
        onReset: () => change({ q: undefined, role: undefined, state: undefined }),
      }}
      table={{
        getRowId: ({ id }) => id,
        getRowLabel: ({ username }) => username,
        columns,
        layout,
        sort,
        onSort: setSort,
        selection,
        onOpen: ({ id }) => setDialog({ kind: 'edit', id }),
        rowActions: (row) => <UserActions user={row} own={row.id === own} onAction={(action) => act(row, action)} />,
      }}
      card={(row) => (
        <UserCard
          user={row}
          own={row.id === own}
          selected={selection.isSelected(row)}
          onSelect={(value) => select([row], value)}
          onAction={(action) => act(row, action)}
        />
      )}
      cardHeight={userCardHeight}
      scrollKey={`${q} ${role ?? ''} ${state ?? ''}`}
      bulk={{
        count: selectedRows.length,
        label: t('selected', counted(selectedRows.length)),
        onClear: clear,
        actions: (
          <Button variant="light" color="red" size="xs" onClick={() => askToDelete(selectedRows)}>
            {t('actions.delete')}
          </Button>
        ),
      }}
    >
      {dialog === null ? null : (
        <UserDialogs dialog={dialog} user={user} onDeleted={(deleted) => select(deleted, false)} onClose={() => setDialog(null)} />
      )}
    </EntityListPage>
  )
}

/** The actions on users, most of them in a dialog. */
function useUserActions(open: (dialog: UserDialogState) => void) {
  const { t } = useTranslation('users')
  const own = auth.use().user?.id
  const enable = trpc.users.enable.useMutation({
    meta: { failure: t('failed.enable') },
    onSuccess: ({ user: { username } }) => {
      toast.success(t('done.enabled'), username)
      void refresh('users')
    },
  })
  const askToDelete = (users: readonly ManagedUser[]): void => {
    const others = users.filter(({ id }) => id !== own)
    if (others.length > 0) open({ kind: 'delete', users: others, staying: others.length < users.length })
    else toast.error(t('failed.delete'), t('delete.own'))
  }
  const act = (row: ManagedUser, action: UserAction): void => {
    switch (action) {
      case 'delete':
        return askToDelete([row])
      case 'enable':
        return enable.mutate({ id: row.id })
      default:
        return open({ kind: action, id: row.id })
    }
  }
  return { act, askToDelete }
}

function UserFilters({ search: { role, state }, onChange }: { search: UsersSearch; onChange: (part: SearchPart<UsersSearch>) => void }) {
  const { t } = useTranslation('users')
  return (
    <>
      <FilterSelect
        label={t('column.role')}
        options={(['admin', 'user'] as const).map((value) => ({ value, label: t(`role.${value}`) }))}
        values={role === undefined ? [] : [role]}
        onChange={([value]) => onChange({ role: value })}
      />
      <FilterSelect
        label={t('state.label')}
        options={(['active', 'disabled'] as const).map((value) => ({ value, label: t(`state.${value}`) }))}
        values={state === undefined ? [] : [state]}
        onChange={([value]) => onChange({ state: value })}
      />
    </>
  )
}
