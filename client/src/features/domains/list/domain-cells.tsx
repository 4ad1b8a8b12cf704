import { IconCloud, IconCode, IconGhost2, IconLock, IconPlayerPause, IconShieldBolt, IconFishHook, type Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { GroupMark } from '#client/features/groups/index.ts'
import { SharedMark } from '#client/features/sharing/index.ts'
import type { ListedDomain } from '#shared/features/domains/schema.ts'
import { formatDate, formatDateTime, formatNumber, formatRelative } from '#client/lib/format.ts'
import { Chart } from '#client/ui/chart/chart.tsx'
import { StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import { CopyName } from '../copy-name.tsx'
import { healthTone, statusTone, useDomainWords } from '../use-domain-words.ts'
import classes from './domain-cells.module.css'

// Hints are plain titles, because a table renders hundreds of these cells.

/** Status, name, and small badges for the most important facts. */
export function NameCell({ domain }: { domain: ListedDomain }) {
  const words = useDomainWords()
  return (
    <div className="row gap-8 shrink full">
      <span title={words.status(domain)} className="inline">
        <StatusDot tone={domain.gone ? 'idle' : statusTone[domain.status]} label={words.status(domain)} />
      </span>
      <Link
        to="/domains/$id"
        params={{ id: domain.id }}
        className={`cut shrink primary hover-underline ${classes['link']}`}
        title={domain.displayName}
        tabIndex={-1}
        preload={false}
      >
        <bdi dir="ltr">{domain.displayName}</bdi>
      </Link>
      <CopyName domain={domain} />
      <Marks domain={domain} />
    </div>
  )
}

/** `named`: with the name of the owner who shares it. */
export function Marks({ domain, named = false }: { domain: ListedDomain; named?: boolean }) {
  const { t } = useTranslation('domains')
  const { health } = useDomainWords()
  return (
    <span className={`inline gap-6 ${classes['marks']}`}>
      <SharedMark shared={domain.shared} brief={!named} />
      {domain.gone ? <Mark icon={IconGhost2} tone="warn" hint={t('marks.gone')} /> : null}
      {domain.phishingDetected ? <Mark icon={IconFishHook} tone="bad" hint={t('marks.phishing')} /> : null}
      {domain.paused ? <Mark icon={IconPlayerPause} tone="warn" hint={t('marks.paused')} /> : null}
      {domain.securityLevel === 'under_attack' ? <Mark icon={IconShieldBolt} tone="bad" hint={t('marks.under_attack')} /> : null}
      {domain.developmentMode > 0 ? <Mark icon={IconCode} tone="info" hint={t('marks.development')} /> : null}
      {domain.proxiedCount > 0 ? <Mark icon={IconCloud} hint={t('marks.proxied', { count: domain.proxiedCount })} /> : null}
      {domain.https === true ? <Mark icon={IconLock} hint={t('marks.https')} /> : null}
      {domain.health === 'warnings' || domain.health === 'critical' ? (
        <span className={`muted inline ${classes['mark']}`} title={health(domain.health)}>
          <StatusDot tone={healthTone[domain.health]} label={health(domain.health)} />
        </span>
      ) : null}
    </span>
  )
}

function Mark({ icon: Symbol, hint, tone }: { icon: Icon; hint: string; tone?: Tone }) {
  return (
    <span className={`muted inline ${classes['mark']}`} data-tone={tone} title={hint} role="img" aria-label={hint}>
      <Symbol size={14} stroke={1.7} aria-hidden />
    </span>
  )
}

export function StatusCell({ word }: { word: string }) {
  return (
    <span className="cut shrink" title={word}>
      {word}
    </span>
  )
}

/** A state as a dot and a label. */
export function StateCell({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className={`inline shrink within ${classes['state']}`}>
      <StatusDot tone={tone} />
      <span className="cut shrink">{word}</span>
    </span>
  )
}

/** An unknown value is shown as a dash with the reason. */
export function Unread() {
  const { t } = useTranslation('domains')
  return (
    <span className="muted" title={t('not_read')}>
      —<span className="sr-only">{t('not_read')}</span>
    </span>
  )
}

export function AccountCell({ account }: Pick<ListedDomain, 'account'>) {
  const text = account.name ? `${account.name} · ${account.email}` : account.email
  return (
    <span className="cut shrink" title={text}>
      <bdi>{account.name || account.email}</bdi>
    </span>
  )
}

export function GroupCell({ group }: Pick<ListedDomain, 'group'>) {
  if (group === null) return null
  return (
    <span className={`inline shrink within ${classes['state']}`} title={group.name}>
      <GroupMark icon={group.icon} color={group.color} size={16} />
      <bdi className="cut shrink">{group.name}</bdi>
    </span>
  )
}

export function OriginsCell({ originIPs, recordsCount }: Pick<ListedDomain, 'originIPs' | 'recordsCount'>) {
  if (recordsCount === null) return <Unread />
  const [first, ...others] = originIPs
  if (first === undefined) return null
  return (
    <span className={`gap-6 baseline shrink within secondary ${classes['origins']}`} title={originIPs.join('\n')}>
      <span className="cut shrink">{first}</span>
      {others.length > 0 ? <small className="size-11 muted">+{formatNumber(others.length)}</small> : null}
    </span>
  )
}

const trendHeight = 18
/** The requests of each of the last 30 days. */
export function TrendCell({ trend }: { trend: string }) {
  return (
    <Chart
      look="fine"
      height={trendHeight}
      columns={Array.from(trend, (digit, day) => {
        const height = (Number(digit) / 9) * (trendHeight - 1) + 1
        return { key: day, bars: [{ y: trendHeight - height, height, fill: digit === '0' ? 'var(--line-strong)' : 'var(--accent-fill)' }] }
      })}
    />
  )
}

export function MomentCell({ moment, relative = false }: { moment: string; relative?: boolean }) {
  return (
    <time dateTime={moment} title={formatDateTime(moment)} className="secondary nowrap">
      {relative ? formatRelative(moment) : formatDate(moment)}
    </time>
  )
}
