import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SharedMark } from '#client/features/sharing/index.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { GroupMark } from './group-mark.tsx'
import classes from './groups.module.css'

/** `withOwner`: the list contains groups of other users. */
export function useGroupColumns(withOwner: boolean): readonly DataColumn<Group>[] {
  const { t } = useTranslation('groups')
  return useMemo(
    () => [
      {
        id: 'group',
        title: t('column.group'),
        width: 280,
        minWidth: 180,
        hideable: false,
        sortKey: 'name',
        cell: ({ name, icon, color, shared, sharedWith }) => (
          <span className={`row gap-10 shrink medium ${classes['name']}`} title={name}>
            <GroupMark icon={icon} color={color} size={22} />
            <bdi>{name}</bdi>
            <SharedMark shared={shared} sharedWith={sharedWith} />
          </span>
        ),
      },
      {
        id: 'description',
        title: t('column.description'),
        width: 320,
        grow: true,
        cell: ({ description }) => (
          <span className={`block muted ${classes['muted']}`} title={description ?? undefined}>
            <bdi>{description}</bdi>
          </span>
        ),
      },
      {
        id: 'zones',
        title: t('column.domains'),
        width: 112,
        align: 'end',
        sortKey: 'zonesCount',
        cell: ({ id, zonesCount }) => (
          <Link to="/domains" search={{ group: id }} className={`underlined hover-accent hover-current ${classes['count']}`} tabIndex={-1}>
            {formatNumber(zonesCount)}
          </Link>
        ),
      },
      ...(withOwner
        ? [{ id: 'owner', title: t('column.owner'), width: 170, cell: ({ ownerName }: Group) => <PersonName label={ownerName} /> }]
        : []),
      {
        id: 'created',
        title: t('column.created'),
        width: 140,
        sortKey: 'createdAt',
        cell: ({ createdAt }) => (
          <span className={`block muted ${classes['muted']}`}>
            <RelativeTime at={createdAt} />
          </span>
        ),
      },
    ],
    [t, withOwner],
  )
}
