import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { UserActions, type UserAction } from './user-actions.tsx'
import { DisabledTag, UserRole } from './use-user-columns.tsx'
import cards from '#client/ui/row-card.module.css'
import tags from '#client/ui/tag.module.css'
import classes from './users.module.css'

export const userCardHeight = 108

/** A user on a phone. */
export function UserCard({
  user,
  own,
  selected,
  onSelect,
  onAction,
}: {
  user: ManagedUser
  own: boolean
  selected: boolean
  onSelect: (selected: boolean) => void
  onAction: (action: UserAction) => void
}) {
  const { t } = useTranslation(['users', 'common'])
  return (
    <div className={cards['card']}>
      <div className={cards['line']}>
        <Checkbox
          aria-label={t('common:table.select_row', { row: user.username })}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
        <bdi className={cards['title']}>{user.name === null ? user.username : `${user.username} · ${user.name}`}</bdi>
        {own ? <span className={tags['tag']}>{t('you')}</span> : null}
        <DisabledTag disabledAt={user.disabledAt} />
        <UserActions user={user} own={own} onAction={onAction} />
      </div>
      <bdi className={cards['quiet']}>{user.email}</bdi>
      <div className={cards['line']}>
        <UserRole role={user.role} />
        <span className={classes['muted']}>
          {[
            t('things.accounts', { count: user.accountsCount, formatted: formatNumber(user.accountsCount) }),
            t('things.domains', { count: user.domainsCount, formatted: formatNumber(user.domainsCount) }),
          ].join(' · ')}
        </span>
      </div>
    </div>
  )
}
