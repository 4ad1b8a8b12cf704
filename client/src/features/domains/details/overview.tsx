import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GroupMark } from '#client/features/groups/index.ts'
import { BulkDialog } from '#client/features/operations/index.ts'
import { useAllowed, useLock } from '#client/features/sharing/index.ts'
import { TrackerSection } from '#client/features/trackers/index.ts'
import { hstsOf } from '#shared/features/domains/settings/rules.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { trackerNameOf } from '#shared/features/trackers/names.ts'
import { formatDate, formatDateTime, formatDuration, formatNumber } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CopyText } from '#client/ui/display/copy-button.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge, StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import { Unread } from '../list/domain-cells.tsx'
import { healthTone, useDomainWords } from '../use-domain-words.ts'
import { NameServers } from './name-servers.tsx'
import { QuickActions } from './quick-actions.tsx'
import { ProfileSection } from './profile-section.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { RegistrarName } from './registrar-name.tsx'
import { endTone, Registration } from './registration.tsx'
import { Age, CopyList, Fact, MoreLink, None, Section, Switched } from './section.tsx'
import { Traffic } from './traffic.tsx'
import { useZone } from './queries.ts'
import classes from './overview.module.css'

/** The overview of one domain (R-DET-01, R-DET-02). */
export function Overview({ id }: { id: string }) {
  const { data, isPlaceholderData: seeded } = useZone(id)
  if (data === undefined) return <Skeleton width="60%" />
  const { zone } = data
  return (
    <div className={`grid gap-16 start ${classes['page']}`}>
      <div className={classes['actions']}>
        <QuickActions zone={zone} />
      </div>
      <div className="column gap-16 shrink">
        <Basics zone={zone} seeded={seeded} />
        <Security zone={zone} seeded={seeded} />
        <Certificates zone={zone} seeded={seeded} />
        {zone.gone ? null : <Traffic id={id} enabled={!seeded} />}
      </div>
      <div className="column gap-16 shrink">
        <NameServers zone={zone} seeded={seeded} />
        <ProfileSection zone={zone} />
        <Tracker zone={zone} seeded={seeded} />
        <Origins zone={zone} seeded={seeded} />
        <Cloudflare zone={zone} seeded={seeded} />
        <RecentChanges id={id} />
      </div>
    </div>
  )
}

interface PartProps {
  zone: DomainDetails
  seeded: boolean
}

function Basics({ zone, seeded }: PartProps) {
  const { t } = useTranslation(['zone', 'domains'])
  const words = useDomainWords()
  const own = useAllowed('own')
  const { account, recordsCount } = zone
  const at = account.email.indexOf('@')
  return (
    <Section title={t('domains:details.general')} part="zone">
      <Fact label={t('domains:details.account')}>
        <Link to="/domains" search={{ account: zone.accountId }} className="underlined hover-current" title={account.email}>
          <bdi>
            {account.name ? `${account.name} · ` : null}
            {account.email.slice(0, at)}
            <wbr />
            {account.email.slice(at)}
          </bdi>
        </Link>
      </Fact>
      <Fact label={t('domains:details.registrar')} pending={seeded && zone.registrar === null}>
        {zone.registrar === null ? (
          zone.originalRegistrar
        ) : own ? (
          <RegistrarName id={zone.id} name={zone.registrar.name} />
        ) : (
          <bdi>{zone.registrar.name}</bdi>
        )}
      </Fact>
      <Registration zone={zone} />
      <Fact label={t('domains:details.group')}>
        {zone.group === null ? null : (
          <span className={`inline ${classes['group']}`}>
            <GroupMark icon={zone.group.icon} color={zone.group.color} />
            <bdi>{zone.group.name}</bdi>
          </span>
        )}
      </Fact>
      <Fact label={t('basics.tracker')}>{zone.trackerType === null ? null : trackerNameOf(zone.trackerType)}</Fact>
      <Fact label={t('domains:details.records')}>
        <MoreLink to="/domains/$id/records" id={zone.id}>
          {recordsCount === null ? (
            <Unread />
          ) : zone.proxiedCount > 0 ? (
            t('domains:details.records_proxied', { records: formatNumber(recordsCount), proxied: formatNumber(zone.proxiedCount) })
          ) : (
            formatNumber(recordsCount)
          )}
        </MoreLink>
      </Fact>
      <Fact label={t('domains:details.health')}>
        <StateBadge quiet tone={healthTone[zone.health]} label={words.health(zone.health)} />
      </Fact>
      <Fact label={t('domains:details.created')}>{formatDateTime(zone.createdAt)}</Fact>
      <Fact label={t('basics.panel_id')}>
        <CopyText text={zone.id} />
      </Fact>
    </Section>
  )
}

/** Its code loads separately; a failure affects only this part. */
function Tracker({ zone: { id, ownerId, trackerType }, seeded }: PartProps) {
  const { t } = useTranslation('zone')
  const lock = useLock()('operate')
  const [asked, setAsked] = useState<'tracker_bind' | 'tracker_unbind' | null>(null)
  // A bound domain shows its data here, so that loading it does not move what is below.
  const waiting =
    trackerType === null ? null : (
      <Section title={t('basics.tracker')}>
        <Skeleton width="60%" height={178} />
      </Section>
    )
  if (seeded) return waiting
  return (
    <ErrorBoundary>
      <Suspense fallback={waiting}>
        <TrackerSection
          id={id}
          ownerId={ownerId}
          lock={lock}
          waiting={waiting}
          head={(title, facts) => <Section title={title}>{facts}</Section>}
          onBind={() => setAsked('tracker_bind')}
          onUnbind={() => setAsked('tracker_unbind')}
        />
        {asked === null ? null : (
          <ErrorBoundary onFail={() => setAsked(null)}>
            <Suspense>
              <BulkDialog
                kind={asked}
                count={1}
                about={{ ownerId }}
                targetOf={() => Promise.resolve({ ids: [id] })}
                onStarted={() => setAsked(null)}
                onClose={() => setAsked(null)}
              />
            </Suspense>
          </ErrorBoundary>
        )}
      </Suspense>
    </ErrorBoundary>
  )
}

function Security({ zone, seeded }: PartProps) {
  const { t } = useTranslation(['zone', 'domains'])
  const words = useDomainWords()
  const changeable = useAllowed('operate')
  return (
    <Section
      title={t('domains:details.settings')}
      part="settings"
      note={
        <MoreLink to="/domains/$id/security" id={zone.id}>
          {t(changeable ? 'change' : 'tabs.security')}
        </MoreLink>
      }
    >
      <Fact label={t('domains:details.ssl')}>{zone.sslMode === null ? <Unread /> : words.ssl(zone.sslMode)}</Fact>
      <Fact label={t('domains:details.tls')}>{zone.tlsMin ?? <Unread />}</Fact>
      <Fact label={t('domains:details.https')}>
        <Switched on={zone.https} />
      </Fact>
      <Fact label={t('domains:details.hsts')} pending={seeded}>
        <Switched on={zone.hsts} />
        {zone.hsts === true ? <HstsDetails id={zone.id} /> : null}
      </Fact>
      <Fact label={t('domains:details.level')}>{zone.securityLevel === null ? <Unread /> : words.level(zone.securityLevel)}</Fact>
      <Fact label={t('domains:details.listed')} pending={seeded}>
        {zone.settingsReadAt === null ? <Unread /> : <RelativeTime at={zone.settingsReadAt} />}
      </Fact>
    </Section>
  )
}

/** The max age and the options of the HSTS header. */
function HstsDetails({ id }: { id: string }) {
  const { t } = useTranslation('zone')
  const header = hstsOf(trpc.domains.settings.useQuery({ id }).data?.settings.values['security_header']?.value)
  if (header === null || !header.enabled) return null
  const parts = [
    formatDuration(header.maxAge, true),
    header.includeSubDomains ? t('hsts.subdomains') : null,
    header.preload ? t('hsts.preload') : null,
  ]
  return <span className={classes['hsts']}>{parts.filter((part) => part !== null).join(', ')}</span>
}

const dayMs = 86_400_000
function Certificates({ zone: { id, certificates }, seeded }: PartProps) {
  const { t } = useTranslation(['zone', 'domains'])
  const left = certificates?.expiresAt == null ? null : new Date(certificates.expiresAt).getTime() - Date.now()
  return (
    <Section
      title={t('certificates.title')}
      part="ssl"
      note={
        <MoreLink to="/domains/$id/security" id={id}>
          {t('certificates.all')}
        </MoreLink>
      }
    >
      <Fact label={t('certificates.universal')} pending={seeded}>
        <Switched on={certificates?.universalEnabled ?? null} />
      </Fact>
      <Fact label={t('certificates.active')} pending={seeded}>
        {certificates === null ? (
          <Unread />
        ) : (
          t('certificates.of', { active: formatNumber(certificates.active), total: formatNumber(certificates.total) })
        )}
      </Fact>
      <Fact label={t('certificates.next')} pending={seeded}>
        {certificates === null ? (
          <Unread />
        ) : left === null || certificates.expiresAt === null ? null : (
          <span className={classes['end']}>
            <StatusDot tone={endTone(left)} />
            <span>
              {left <= 0
                ? t('certificates.expired', { date: formatDate(certificates.expiresAt) })
                : t('certificates.when', { date: formatDate(certificates.expiresAt), count: Math.floor(left / dayMs) })}
            </span>
          </span>
        )}
      </Fact>
    </Section>
  )
}

function Origins({ zone, seeded }: PartProps) {
  const { t } = useTranslation('domains')
  return (
    <Section title={t('details.origins')} part="records" note={seeded ? undefined : <Age at={zone.recordsReadAt} />}>
      {zone.recordsCount === null ? <Unread /> : <CopyList texts={zone.originIPs} />}
    </Section>
  )
}

const types = { full: 'type_full', partial: 'type_partial', secondary: 'type_secondary' } as const
const typeOf = (type: string) => types[type as keyof typeof types] ?? null

function Cloudflare({ zone, seeded }: PartProps) {
  const { t } = useTranslation(['zone', 'domains'])
  const type = typeOf(zone.type)
  return (
    <Section title={t('cloudflare.title')} note={seeded ? undefined : <Age at={zone.listedAt} />}>
      <Fact label={t('cloudflare.zone_id')} pending={seeded}>
        <CopyText text={zone.zoneId} />
      </Fact>
      <Fact label={t('cloudflare.account_id')} pending={seeded}>
        {zone.providerAccount === null ? null : <CopyText text={zone.providerAccount.id} />}
      </Fact>
      <Fact label={t('domains:details.plan')} pending={seeded}>
        {zone.plan}
      </Fact>
      <Fact label={t('domains:details.type')} pending={seeded}>
        {type === null ? zone.type : t(`domains:details.${type}`)}
      </Fact>
      <Fact label={t('cloudflare.verification_key')} pending={seeded}>
        {zone.verificationKey === null ? null : <CopyText text={zone.verificationKey} />}
      </Fact>
      {zone.cnameSuffix === null ? null : (
        <Fact label={t('cloudflare.cname_suffix')}>
          <CopyText text={zone.cnameSuffix} />
        </Fact>
      )}
      <Fact label={t('cloudflare.page_rules')} pending={seeded}>
        <Quota quota={zone.pageRuleQuota} used={zone.pageRulesUsed} />
      </Fact>
      <Fact label={t('cloudflare.certificates')} pending={seeded}>
        <Quota quota={zone.customCertificateQuota} used={null} />
      </Fact>
      <Fact label={t('cloudflare.paused')}>
        <YesNo yes={zone.paused} />
      </Fact>
      <Fact label={t('cloudflare.phishing')}>
        <YesNo yes={zone.phishingDetected} tone="bad" />
      </Fact>
      <Fact label={t('domains:details.activated')} pending={seeded}>
        {zone.activatedAt === null ? null : formatDateTime(zone.activatedAt)}
      </Fact>
      <Fact label={t('domains:details.updated')} pending={seeded}>
        {formatDateTime(zone.modifiedAt ?? zone.updatedAt)}
      </Fact>
    </Section>
  )
}

function Quota({ quota, used }: { quota: number | null; used: number | null }) {
  const { t } = useTranslation('zone')
  if (quota === null) return <None />
  if (quota === 0) return t('cloudflare.not_in_plan')
  return used === null
    ? t('cloudflare.quota', { quota: formatNumber(quota) })
    : t('cloudflare.used', { used: formatNumber(used), quota: formatNumber(quota) })
}

/** Both are better switched off. */
function YesNo({ yes, tone = 'warn' }: { yes: boolean; tone?: Tone }) {
  const { t } = useTranslation('domains')
  return yes ? <StateBadge quiet tone={tone} label={t('yes')} /> : t('no')
}
