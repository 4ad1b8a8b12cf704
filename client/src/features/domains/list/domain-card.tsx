import { IconExternalLink, IconWorld } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { GroupMark } from '#client/features/groups/index.ts'
import type { ListedDomain } from '#shared/features/domains/schema.ts'
import { trackerNameOf } from '#shared/features/trackers/names.ts'
import { CopyButton } from '#client/ui/display/copy-button.tsx'
import { SelectBox } from '#client/ui/table/select-box.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { AccountCell, Marks, OriginsCell, Unread } from './domain-cells.tsx'
import { siteOf } from '../open-site.tsx'
import { healthTone, statusTone, useDomainWords } from '../use-domain-words.ts'
import classes from './domain-card.module.css'

export const domainCardHeight = 138

/** A domain as a card (R-DOM-03): in the grid, and as a row on a phone. */
export function DomainCard({
  domain,
  selected,
  onSelect,
}: {
  domain: ListedDomain
  selected: boolean
  onSelect: (event: MouseEvent) => void
}) {
  const { t } = useTranslation('domains')
  const words = useDomainWords()
  return (
    <article className={`column gap-8 shrink fill size-13 line-18 ${classes['card']}`} data-selected={selected || undefined}>
      {domain.group?.color ? <span className={classes['stripe']} style={{ background: domain.group.color }} aria-hidden /> : null}
      <header className={`row gap-6 shrink ${classes['head']}`}>
        <Link
          to="/domains/$id"
          params={{ id: domain.id }}
          className={`cut grow shrink hover-underline ${classes['name']}`}
          title={domain.displayName}
          preload={false}
        >
          <bdi dir="ltr">{domain.displayName}</bdi>
        </Link>
        <span className={`row ${classes['tools']}`}>
          <CopyButton text={domain.displayName} label={t('actions.copy_name')} size={24} />
          <a
            href={siteOf(domain)}
            target="_blank"
            rel="noreferrer"
            className={`row center secondary radius hover hover-primary ${classes['site']}`}
            title={t('actions.open_site')}
          >
            <IconExternalLink size={14} stroke={1.7} aria-hidden />
            <span className="sr-only">{t('actions.open_site')}</span>
          </a>
        </span>
        <span className={classes['pick']}>
          <SelectBox label={t('selection.row', { domain: domain.displayName })} checked={selected} onClick={onSelect} />
        </span>
      </header>
      <div className="row gap-8 shrink secondary">
        <StateBadge quiet tone={domain.gone ? 'idle' : statusTone[domain.status]} label={words.status(domain)} />
        <span className={classes['sep']} aria-hidden />
        <span className="cut shrink">SSL {domain.sslMode === null ? <Unread /> : words.ssl(domain.sslMode)}</span>
        <Marks domain={domain} />
      </div>
      <div className="row gap-8 shrink secondary">
        <IconWorld size={14} stroke={1.6} className="muted" aria-hidden />
        <OriginsCell originIPs={domain.originIPs} recordsCount={domain.recordsCount} />
        {domain.trackerType === null ? null : <span className="fixed size-12 muted push">{trackerNameOf(domain.trackerType)}</span>}
      </div>
      <footer className={`row gap-12 between size-12 muted ${classes['foot']}`}>
        <span className="row gap-6 shrink">
          {domain.group === null ? (
            <AccountCell account={domain.account} />
          ) : (
            <>
              <GroupMark icon={domain.group.icon} color={domain.group.color} />
              <bdi className="cut shrink" title={domain.group.name}>
                {domain.group.name}
              </bdi>
            </>
          )}
        </span>
        <span className={classes['health']} data-tone={healthTone[domain.health]} title={words.health(domain.health)}>
          <span className="sr-only">{words.health(domain.health)}</span>
        </span>
      </footer>
    </article>
  )
}
