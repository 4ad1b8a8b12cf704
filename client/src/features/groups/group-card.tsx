import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SharedMark } from '#client/features/sharing/index.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { PersonName } from '#client/ui/person-name.tsx'
import { GroupMark } from './group-mark.tsx'
import { GroupMenu, type GroupAction } from './group-menu.tsx'
import { ownColor } from './own-color.ts'
import classes from './groups.module.css'

export const groupCardHeight = 148

/** A group at a glance; a click anywhere opens its domains. `share`: of the largest group's domains, 0…1. */
export function GroupCard({
  group,
  share,
  owner,
  onAction,
}: {
  group: Group
  share: number
  /** Named where there are other people's groups among them. */
  owner: string | null
  onAction: (action: GroupAction) => void
}) {
  const { t } = useTranslation('groups')
  const { id, name, description, icon, color, zonesCount, createdAt, shared, sharedWith } = group
  return (
    <article className={classes['card']} style={ownColor(color)}>
      <header className={classes['cardHead']}>
        <GroupMark icon={icon} color={color} size={36} />
        <span className={classes['cardWords']}>
          <Link to="/domains" search={{ group: id }} className={classes['cardName']} title={name}>
            <bdi>{name}</bdi>
          </Link>
          <span className={classes['cardMeta']}>
            {owner === null ? null : (
              <>
                <PersonName label={owner} /> ·{' '}
              </>
            )}
            <RelativeTime at={createdAt} />
            {shared === null && sharedWith === 0 ? null : ' · '}
            <SharedMark shared={shared} sharedWith={sharedWith} />
          </span>
        </span>
        <span className={classes['cardMenu']}>
          <GroupMenu group={group} onAction={onAction} />
        </span>
      </header>
      <p className={classes['cardText']} title={description ?? undefined}>
        <bdi>{description}</bdi>
      </p>
      <footer className={classes['cardFoot']}>
        <span className={classes['cardCount']}>{t('domains_count', { count: zonesCount, formatted: formatNumber(zonesCount) })}</span>
        <span className={classes['share']} aria-hidden>
          <i style={{ width: `${share * 100}%` }} />
        </span>
      </footer>
    </article>
  )
}
