import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { ProfileValues } from '#client/features/profiles/index.ts'
import { SharingDialog } from '#client/features/sharing/index.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { chooseOwned, noOwnership } from '#client/lib/ownership.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { EntityListPage } from '#client/ui/layout/entity-list-page.tsx'
import { useOwnershipFilters } from '#client/ui/filter/ownership-filters.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { ViewSwitch } from '#client/ui/filter/view-switch.tsx'
import { counted } from '#client/lib/format.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { chooseGroups, newestFirst } from './choose-groups.ts'
import { GroupCard, groupCardHeight } from './group-card.tsx'
import { GroupMenu, type GroupAction } from './group-menu.tsx'
import { parseGroupsSearch, type GroupsSearch } from './search.ts'
import { useGroupColumns } from './use-group-columns.tsx'
import { useGroupActions } from './mutations.ts'

const GroupDialog = lateDialog(async () => (await import('./group-dialog.tsx')).GroupDialog)
const GroupDomainsDialog = lateDialog(async () => (await import('./group-domains-dialog.tsx')).GroupDomainsDialog)

const route = getRouteApi('/_app/groups')

/** All groups of domains, as cards or as a list (R-GRP-02). */
export function GroupsPage() {
  const { t } = useTranslation(['groups', 'common'])
  // Parsed again, because the router keeps unknown parameters of the first parse.
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
  const change = (part: SearchPart<GroupsSearch>): void =>
    void navigate({ replace: true, search: (before) => parseGroupsSearch({ ...before, ...part }) })
  const { withOwner, ...ownership } = useOwnershipFilters(all, search, change)
  const columns = useGroupColumns(withOwner)
  const layout = useColumnLayout('groups', columns)
  const group = all?.find(({ id }) => id === dialog?.id)

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
  return (
    <EntityListPage
      title={t('title')}
      count={all?.length}
      actions={add(t('add'))}
      list={list}
      failed={t('failed.load')}
      untouched={
        all?.length === 0 ? (
          <EmptyState picture="groups" title={t('empty.title')} text={t('empty.text')} action={add(t('empty.action'))} />
        ) : null
      }
      rows={rows}
      filter={{
        label: t('search'),
        text: q,
        onText: (text) => change({ q: text }),
        ...ownership.filter,
        tools: phone ? undefined : (
          <ViewSwitch value={asList ? 'list' : 'cards'} onChange={(view) => change({ view: view === 'list' ? 'list' : undefined })} />
        ),
      }}
      noMatch={{
        text: ownership.filter.active > 0 ? t('common:filters.not_theirs') : t('no_match.text', { search: q }),
        onReset: () => change({ q: undefined, ...noOwnership }),
      }}
      table={
        asList
          ? {
              getRowId: ({ id }) => id,
              getRowLabel: ({ name }) => name,
              getRowHref: ({ id }) => `/domains?group=${id}`,
              columns,
              layout,
              sort,
              onSort: setSort,
              onOpen: ({ id }) => void navigate({ to: '/domains', search: { group: id } }),
              rowActions: (row) => <GroupMenu group={row} onAction={(kind) => setDialog({ kind, id: row.id })} />,
            }
          : undefined
      }
      card={card}
      cardHeight={groupCardHeight}
      cardWidth={280}
      scrollKey={`${q} ${owner ?? ''} ${whose ?? ''}`}
    >
      {group === undefined || dialog === null ? null : (
        <GroupActionDialog kind={dialog.kind} group={group} onClose={() => setDialog(null)} />
      )}
    </EntityListPage>
  )
}

function GroupActionDialog({ kind, group, onClose }: { kind: GroupAction; group: Group; onClose: () => void }) {
  return kind === 'edit' ? (
    <GroupDialog group={group} onClose={onClose} />
  ) : kind === 'share' || kind === 'leave' ? (
    <SharingDialog
      kind={kind}
      target={{ groupId: group.id }}
      name={group.name}
      shared={group.shared}
      domains={group.zonesCount}
      onClose={onClose}
    />
  ) : kind === 'values' ? (
    <Suspense>
      <ProfileValues target={{ kind: 'group', id: group.id, name: group.name }} ownerId={group.ownerId} onClose={onClose} />
    </Suspense>
  ) : kind === 'delete' ? (
    <DeleteGroupDialog group={group} onClose={onClose} />
  ) : (
    <GroupDomainsDialog group={group} start={kind === 'add' ? 'find' : 'in'} onClose={onClose} />
  )
}

/** Confirms a deletion and states that the domains stay. */
function DeleteGroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation('groups')
  const actions = useGroupActions()
  const count = group.zonesCount
  const people = group.sharedWith
  return (
    <ConfirmDialog
      title={t('delete.title', { group: group.name })}
      consequence={
        <>
          <p>{count === 0 ? t('delete.text_empty') : t('delete.text', counted(count))}</p>
          {people === 0 ? null : <p>{t('delete.people', counted(people))}</p>}
        </>
      }
      action={t('delete.confirm')}
      count={1}
      failure={t('failed.deleting')}
      onConfirm={() => actions.remove(group)}
      onClose={onClose}
    />
  )
}
