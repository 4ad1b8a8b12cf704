import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { UserTokensDialog } from '#client/features/api-tokens/index.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { auth } from '#client/lib/auth.ts'
import { formatNumber } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ColumnsMenu } from '#client/ui/columns-menu.tsx'
import type { Sort } from '#client/ui/data-table.types.ts'
import { EntityListPage } from '#client/ui/entity-list-page.tsx'
import { FilterSelect } from '#client/ui/filter-select.tsx'
import { useSelection, wholeRow } from '#client/ui/use-selection.ts'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import { RegistrationNotice } from '#client/features/auth/index.ts'
import { DeleteUsersDialog } from './delete-users-dialog.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { ResetFactorsDialog } from './reset-factors-dialog.tsx'
import { ResetPasswordDialog } from './reset-password-dialog.tsx'
import { SignOutDialog } from './sign-out-dialog.tsx'
import { parseUsersSearch, type UsersSearch } from './search.ts'
import { sortUsers } from './sort-users.ts'
import { useUserColumns } from './use-user-columns.tsx'
import { UserActions, type UserAction } from './user-actions.tsx'
import { UserCard, userCardHeight } from './user-card.tsx'
import { UserDialog } from './user-dialog.tsx'

const route = getRouteApi('/_app/users')

type Dialog =
  | { kind: 'add' }
  | { kind: 'edit' | 'password' | 'factors' | 'tokens' | 'sign_out' | 'disable'; id: string }
  | { kind: 'delete'; users: readonly ManagedUser[]; staying: boolean }

/** Everybody who may sign in, for administrators. */
export function UsersPage() {
  const { t } = useTranslation('users')
  // Once more: the router keeps what the first reading did not understand.
  const { q = '', role, state } = parseUsersSearch(route.useSearch())
  const navigate = route.useNavigate()
  const own = auth.use().user?.id
  const list = trpc.users.list.useQuery(
    { ...(q !== '' && { search: q }), ...(role && { role }), ...(state && { state }) },
    { placeholderData: keepPreviousData },
  )
  const [sort, setSort] = useState<Sort>({ key: 'username', direction: 'asc' })
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const enable = trpc.users.enable.useMutation({
    meta: { failure: t('failed.enable') },
    onSuccess: ({ user: { username } }) => {
      toast.success(t('done.enabled'), username)
      void refresh('users')
    },
  })
  useLiveQueries('users')

  const all = list.data?.users
  const rows = useMemo(() => sortUsers(all ?? [], sort), [all, sort])
  const { chosen, select, clear, table: selection } = useSelection({ rows, entryOf: wholeRow })
  const user = dialog !== null && 'id' in dialog ? all?.find(({ id }) => id === dialog.id) : undefined
  const askToDelete = (users: readonly ManagedUser[]): void => {
    const others = users.filter(({ id }) => id !== own)
    if (others.length > 0) setDialog({ kind: 'delete', users: others, staying: others.length < users.length })
    else toast.error(t('failed.delete'), t('delete.own'))
  }
  const columns = useUserColumns()
  const layout = useColumnLayout('users', columns)
  const change = useCallback(
    (part: { [K in keyof UsersSearch]: UsersSearch[K] | undefined }) =>
      void navigate({ replace: true, search: (before) => parseUsersSearch({ ...before, ...part }) }),
    [navigate],
  )

  const act = (row: ManagedUser, action: UserAction): void => {
    switch (action) {
      case 'delete':
        return askToDelete([row])
      case 'enable':
        return enable.mutate({ id: row.id })
      default:
        return setDialog({ kind: action, id: row.id })
    }
  }

  return (
    <EntityListPage
      title={t('title')}
      count={all?.length}
      actions={
        <Button leftSection={<IconUserPlus size={15} stroke={1.8} />} onClick={() => setDialog({ kind: 'add' })}>
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
        filters: (
          <>
            <FilterSelect
              label={t('column.role')}
              options={(['admin', 'user'] as const).map((value) => ({ value, label: t(`role.${value}`) }))}
              values={role === undefined ? [] : [role]}
              onChange={([value]) => change({ role: value })}
            />
            <FilterSelect
              label={t('state.label')}
              options={(['active', 'disabled'] as const).map((value) => ({ value, label: t(`state.${value}`) }))}
              values={state === undefined ? [] : [state]}
              onChange={([value]) => change({ state: value })}
            />
          </>
        ),
        active: [role, state].filter((each) => each !== undefined).length,
        onReset: () => change({ role: undefined, state: undefined }),
        tools: <ColumnsMenu columns={columns} layout={layout} />,
      }}
      noMatch={{
        title: t('no_match.title'),
        text: t('no_match.text'),
        action: t('no_match.action'),
        onAction: () => change({ q: undefined, role: undefined, state: undefined }),
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
        count: chosen.length,
        label: t('selected', { count: chosen.length, formatted: formatNumber(chosen.length) }),
        onClear: clear,
        actions: (
          <Button variant="light" color="red" size="xs" onClick={() => askToDelete(chosen)}>
            {t('actions.delete')}
          </Button>
        ),
      }}
    >
      {dialog === null ? null : (
        <Dialogs dialog={dialog} user={user} onDeleted={(deleted) => select(deleted, false)} onClose={() => setDialog(null)} />
      )}
    </EntityListPage>
  )
}

function Dialogs({
  dialog,
  user,
  onDeleted,
  onClose,
}: {
  dialog: Dialog
  /** The one that it is about. */
  user: ManagedUser | undefined
  onDeleted: (users: readonly ManagedUser[]) => void
  onClose: () => void
}) {
  return (
    <>
      {dialog.kind === 'add' ? <UserDialog onClose={onClose} /> : null}
      {dialog.kind === 'edit' && user !== undefined ? <UserDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'password' && user !== undefined ? <ResetPasswordDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'factors' && user !== undefined ? <ResetFactorsDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'disable' && user !== undefined ? <DisableDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'sign_out' && user !== undefined ? <SignOutDialog user={user} onClose={onClose} /> : null}
      {dialog.kind === 'tokens' && user !== undefined ? (
        <Suspense fallback={null}>
          <UserTokensDialog user={user} onClose={onClose} />
        </Suspense>
      ) : null}
      {dialog.kind === 'delete' ? (
        <DeleteUsersDialog users={dialog.users} staying={dialog.staying} onDone={() => onDeleted(dialog.users)} onClose={onClose} />
      ) : null}
    </>
  )
}
