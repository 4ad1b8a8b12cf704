import { Button, SegmentedControl } from '@mantine/core'
import { IconLayoutGrid, IconList, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveDialog, ShareDialog } from '#client/features/sharing/index.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { formatNumber } from '#client/lib/format.ts'
import { chooseOwned, ownersOf } from '#client/lib/ownership.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CardGrid } from '#client/ui/card-grid.tsx'
import { DataTable } from '#client/ui/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { FilterBar } from '#client/ui/filter-bar.tsx'
import { OwnershipFilters } from '#client/ui/ownership-filters.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { SearchInput } from '#client/ui/search-input.tsx'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import { usePhone } from '#client/ui/use-media.ts'
import { chooseGroups, newestFirst } from './choose-groups.ts'
import { DeleteGroupDialog } from './delete-group-dialog.tsx'
import { GroupCard, groupCardHeight } from './group-card.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { GroupDomainsDialog } from './group-domains-dialog.tsx'
import { GroupMenu, type GroupAction } from './group-menu.tsx'
import { parseGroupsSearch, type GroupsSearch } from './search.ts'
import { useGroupColumns } from './use-group-columns.tsx'

const noOwnership = { owner: undefined, whose: undefined }

const route = getRouteApi('/_app/groups')

/** All groups of domains, as cards or as a list (R-GRP-02). */
export function GroupsPage() {
  const { t } = useTranslation(['groups', 'common'])
  // Once more: the router keeps what the first reading did not understand.
  const search = parseGroupsSearch(route.useSearch())
  const { q = '', owner, whose } = search
  const navigate = route.useNavigate()
  const phone = usePhone()
  const list = trpc.groups.list.useQuery({})
  const [sort, setSort] = useState(newestFirst)
  const [dialog, setDialog] = useState<{ kind: GroupAction; id: string } | null>(null)
  useLiveQueries('groups')

  const all = list.data?.groups
  const asList = search.view === 'list' && !phone
  const rows = useMemo(
    () => chooseGroups(chooseOwned(all ?? [], { owner, whose }), q, asList ? sort : newestFirst),
    [all, q, sort, asList, owner, whose],
  )
  const most = Math.max(1, ...(all ?? []).map(({ zonesCount }) => zonesCount))
  const owners = useMemo(() => ownersOf(all ?? []), [all])
  const withOwner = owners.length > 1
  const filters = Number(owner !== undefined) + Number(whose !== undefined)
  const columns = useGroupColumns(withOwner)
  const layout = useColumnLayout('groups', columns)
  const group = all?.find(({ id }) => id === dialog?.id)
  const close = (): void => setDialog(null)
  const change = (part: { [K in keyof GroupsSearch]: GroupsSearch[K] | undefined }): void =>
    void navigate({ replace: true, search: (before) => parseGroupsSearch({ ...before, ...part }) })

  const card = (row: Group) => (
    <GroupCard
      group={row}
      share={row.zonesCount / most}
      owner={withOwner && row.shared === null ? row.ownerName : null}
      onAction={(kind) => setDialog({ kind, id: row.id })}
    />
  )
  const add = (label: string) => (
    <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => quickAdd.set('group')}>
      {label}
    </Button>
  )
  const listed = {
    label: t('title'),
    rowCount: rows.length,
    getRow: (index: number) => rows[index],
    renderCard: card,
    cardHeight: groupCardHeight,
    loading: list.isPending,
    scrollKey: `${q} ${owner ?? ''} ${whose ?? ''}`,
    empty: (
      <EmptyState
        picture="search"
        title={t('no_match.title')}
        text={filters > 0 ? t('common:filters.not_theirs') : t('no_match.text', { search: q })}
        action={
          <Button variant="default" onClick={() => change({ q: undefined, ...noOwnership })}>
            {t('no_match.action')}
          </Button>
        }
      />
    ),
  }

  const untouched = all?.length === 0
  return (
    <>
      <PageHeader
        title={t('title')}
        meta={all === undefined || untouched ? undefined : formatNumber(all.length)}
        actions={untouched ? undefined : add(t('add'))}
      />
      {list.isError && all === undefined ? (
        <ErrorState title={t('failed.load')} error={list.error} onRetry={() => void list.refetch()} />
      ) : untouched ? (
        <EmptyState picture="groups" title={t('empty.title')} text={t('empty.text')} action={add(t('empty.action'))} />
      ) : (
        <>
          <FilterBar
            search={<SearchInput label={t('search')} value={q} onChange={(text) => change({ q: text })} />}
            active={filters}
            onReset={() => change(noOwnership)}
            tools={
              phone ? undefined : (
                <SegmentedControl
                  aria-label={t('view.label')}
                  value={asList ? 'list' : 'cards'}
                  onChange={(view) => change({ view: view === 'list' ? 'list' : undefined })}
                  data={[
                    {
                      value: 'cards',
                      label: <ViewLabel icon={<IconLayoutGrid size={15} stroke={1.7} aria-hidden />} words={t('view.cards')} />,
                    },
                    { value: 'list', label: <ViewLabel icon={<IconList size={15} stroke={1.7} aria-hidden />} words={t('view.list')} /> },
                  ]}
                />
              )
            }
          >
            {withOwner || filters > 0 ? (
              <OwnershipFilters
                search={search}
                owners={owners}
                shared={all?.some(({ shared }) => shared !== null) === true}
                onChange={change}
              />
            ) : undefined}
          </FilterBar>
          {asList ? (
            <DataTable
              {...listed}
              getRowId={({ id }) => id}
              getRowLabel={({ name }) => name}
              getRowHref={({ id }) => `/domains?group=${id}`}
              columns={columns}
              layout={layout}
              sort={sort}
              onSort={setSort}
              onOpen={({ id }) => void navigate({ to: '/domains', search: { group: id } })}
              rowActions={(row) => <GroupMenu group={row} onAction={(kind) => setDialog({ kind, id: row.id })} />}
            />
          ) : (
            <CardGrid {...listed} minWidth={280} />
          )}
        </>
      )}
      {group === undefined || dialog === null ? null : dialog.kind === 'edit' ? (
        <GroupDialog group={group} onClose={close} />
      ) : dialog.kind === 'share' ? (
        <Suspense>
          <ShareDialog thing={{ groupId: group.id }} name={group.name} domains={group.zonesCount} onClose={close} />
        </Suspense>
      ) : dialog.kind === 'leave' ? (
        group.shared === null ? null : (
          <Suspense>
            <LeaveDialog thing={{ groupId: group.id }} name={group.name} shared={group.shared} domains={group.zonesCount} onClose={close} />
          </Suspense>
        )
      ) : dialog.kind === 'delete' ? (
        <DeleteGroupDialog group={group} onClose={close} />
      ) : (
        <GroupDomainsDialog group={group} start={dialog.kind === 'add' ? 'find' : 'in'} onClose={close} />
      )}
    </>
  )
}

function ViewLabel({ icon, words }: { icon: ReactNode; words: string }) {
  return (
    <span className="row" title={words}>
      {icon}
      <span className="sr-only">{words}</span>
    </span>
  )
}
