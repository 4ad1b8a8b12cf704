import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { counted } from '#client/lib/format.ts'
import { SelectBox } from '#client/ui/table/select-box.tsx'
import { UserActions, type UserAction } from './user-actions.tsx'
import { DisabledTag, UserRole } from './use-user-columns.tsx'
import tags from '#client/ui/display/tag.module.css'

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
    <div className="column gap-6 grow shrink size-13">
      <div className="row gap-8 between shrink">
        <SelectBox label={t('common:table.select_row', { row: user.username })} checked={selected} onClick={() => onSelect(!selected)} />
        <bdi className="grow shrink medium cut">{user.name === null ? user.username : `${user.username} · ${user.name}`}</bdi>
        {own ? <span className={tags['tag']}>{t('you')}</span> : null}
        <DisabledTag disabledAt={user.disabledAt} />
        <UserActions user={user} own={own} onAction={onAction} />
      </div>
      <bdi className="muted cut">{user.email}</bdi>
      <div className="row gap-8 between shrink">
        <UserRole role={user.role} />
        <span className="muted">
          {[t('owned.accounts', counted(user.accountsCount)), t('owned.domains', counted(user.domainsCount))].join(' · ')}
        </span>
      </div>
    </div>
  )
}
