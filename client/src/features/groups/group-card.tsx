import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SharedMark } from '#client/features/sharing/index.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { counted } from '#client/lib/format.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { GroupMark, ownColor } from './group-mark.tsx'
import { GroupMenu, type GroupAction } from './group-menu.tsx'
import classes from './groups.module.css'

export const groupCardHeight = 148

/** A group as a card; a click anywhere opens its domains. `share`: relative to the largest group, 0…1. */
export function GroupCard({
  group,
  share,
  owner,
  onAction,
}: {
  group: Group
  share: number
  /** Shown if the list contains groups of other users. */
  owner: string | null
  onAction: (action: GroupAction) => void
}) {
  const { t } = useTranslation(['groups', 'common'])
  const { id, name, description, icon, color, zonesCount, createdAt, shared, sharedWith } = group
  return (
    <article className="column gap-10 shrink fill" style={ownColor(color)}>
      <header className="flex gap-10 top shrink">
        <GroupMark icon={icon} color={color} size={36} />
        <span className="column grow shrink">
          <Link to="/domains" search={{ group: id }} className={`cut line-20 semibold size-14 ${classes['cardName']}`} title={name}>
            <bdi>{name}</bdi>
          </Link>
          <span className={`flex shrink clip size-12 line-16 muted ${classes['cardMeta']}`}>
            {owner === null ? null : (
              <>
                <PersonName label={owner} /> ·{' '}
              </>
            )}
            {t('column.created')} <RelativeTime at={createdAt} />
            {shared === null && sharedWith === 0 ? null : ' · '}
            <SharedMark shared={shared} sharedWith={sharedWith} />
          </span>
        </span>
        <span className={classes['cardMenu']}>
          <GroupMenu group={group} onAction={onAction} />
        </span>
      </header>
      <p className={`clip line-18 secondary anywhere two-lines ${classes['cardText']}`} title={description ?? undefined}>
        <bdi>{description}</bdi>
      </p>
      <footer className={`row gap-12 ${classes['cardFoot']}`}>
        <span className="fixed size-13 medium primary">{t('common:domains', counted(zonesCount))}</span>
        <span className={`grow clip ${classes['share']}`} aria-hidden>
          <i className="block shrink fill" style={{ width: `${share * 100}%` }} />
        </span>
      </footer>
    </article>
  )
}
