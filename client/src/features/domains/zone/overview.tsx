import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { formatDateTime, formatNumber } from '#client/lib/format.ts'
import { CopyText } from '#client/ui/copy-button.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { StateBadge } from '#client/ui/state-badge.tsx'
import { GroupColor, Unread } from '../domain-cells.tsx'
import { healthTone } from '../tones.ts'
import { useDomainWords } from '../use-domain-words.ts'
import { useZone } from './use-zone.ts'
import classes from './overview.module.css'

/** Everything known of one domain at a glance. */
export function Overview({ id }: { id: string }) {
  const { data, isPlaceholderData } = useZone(id)
  if (data === undefined || isPlaceholderData) return <DetailsSkeleton />
  return <Details domain={data.zone} />
}

function Details({ domain }: { domain: DomainDetails }) {
  const { t } = useTranslation('domains')
  const words = useDomainWords()
  const { account } = domain
  return (
    <>
      <div className={classes['sections']}>
        <Section
          title={t('details.general')}
          note={
            <>
              {t('details.listed')} <RelativeTime at={domain.listedAt} />
            </>
          }
        >
          <Fact label={t('details.account')}>
            <Link to="/domains" search={{ account: domain.accountId }} className={classes['link']} title={account.email}>
              <bdi>{account.name ? `${account.name} · ${account.email}` : account.email}</bdi>
            </Link>
          </Fact>
          <Fact label={t('details.group')}>
            {domain.group === null ? null : (
              <span className={classes['group']}>
                <GroupColor color={domain.group.color} />
                <bdi>{domain.group.name}</bdi>
              </span>
            )}
          </Fact>
          <Fact label={t('details.plan')}>{domain.plan}</Fact>
          <Fact label={t('details.type')}>
            {typeOf(domain.type) === null ? domain.type : t(`details.${typeOf(domain.type) ?? 'type_full'}`)}
          </Fact>
          <Fact label={t('details.records')}>
            {domain.recordsCount === null ? (
              <Unread />
            ) : domain.proxiedCount > 0 ? (
              t('details.records_proxied', { records: formatNumber(domain.recordsCount), proxied: formatNumber(domain.proxiedCount) })
            ) : (
              formatNumber(domain.recordsCount)
            )}
          </Fact>
          <Fact label={t('details.health')}>
            <StateBadge quiet tone={healthTone[domain.health]} label={words.health(domain.health)} />
          </Fact>
          <Fact label={t('details.created')}>{formatDateTime(domain.createdAt)}</Fact>
          <Fact label={t('details.activated')}>{domain.activatedAt === null ? null : formatDateTime(domain.activatedAt)}</Fact>
          <Fact label={t('details.updated')}>{formatDateTime(domain.updatedAt)}</Fact>
        </Section>
        <Section title={t('details.settings')} note={<Age at={domain.settingsReadAt} />}>
          <Fact label={t('details.ssl')}>{domain.sslMode === null ? <Unread /> : words.ssl(domain.sslMode)}</Fact>
          <Fact label={t('details.tls')}>{domain.tlsMin ?? <Unread />}</Fact>
          <Fact label={t('details.https')}>
            <Switched on={domain.https} />
          </Fact>
          <Fact label={t('details.hsts')}>
            <Switched on={domain.hsts} />
          </Fact>
          <Fact label={t('details.level')}>{domain.securityLevel === null ? <Unread /> : words.level(domain.securityLevel)}</Fact>
          <Fact label={t('details.development')}>
            <Switched on={domain.settingsReadAt === null ? null : domain.developmentMode > 0} />
          </Fact>
        </Section>
        <Section title={t('details.name_servers')}>
          {domain.status === 'pending' && !domain.gone ? <p className={classes['hint']}>{t('details.name_servers_pending')}</p> : null}
          <CopyList texts={domain.nameServers} />
          {domain.originalNameServers.length > 0 ? (
            <Fact label={t('details.original_name_servers')}>
              <span className="mono">{domain.originalNameServers.join(', ')}</span>
            </Fact>
          ) : null}
          {domain.originalRegistrar === null ? null : <Fact label={t('details.registrar')}>{domain.originalRegistrar}</Fact>}
        </Section>
        <Section title={t('details.origins')} note={<Age at={domain.recordsReadAt} />}>
          {domain.recordsCount === null ? <Unread /> : <CopyList texts={domain.originIPs} />}
        </Section>
        <Section title={t('details.identifiers')}>
          <Fact label={t('details.zone_id')}>
            <CopyText text={domain.zoneId} />
          </Fact>
          {domain.providerAccount === null ? null : (
            <Fact label={t('details.provider_account')}>
              <CopyText text={domain.providerAccount.id} />
            </Fact>
          )}
          <Fact label={t('details.panel_id')}>
            <CopyText text={domain.id} />
          </Fact>
        </Section>
      </div>
    </>
  )
}

const types = { full: 'type_full', partial: 'type_partial', secondary: 'type_secondary' } as const
const typeOf = (type: string) => types[type as keyof typeof types] ?? null

function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes['section']}>
      <header className={classes['sectionHead']}>
        <h2>{title}</h2>
        {note === undefined ? null : <span className={classes['note']}>{note}</span>}
      </header>
      <div className={classes['facts']}>{children}</div>
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <span className={classes['label']}>{label}</span>
      <span className={classes['value']}>{children ?? <None />}</span>
    </div>
  )
}

function Age({ at }: { at: string | null }) {
  const { t } = useTranslation('domains')
  if (at === null) return t('details.reading')
  return (
    <>
      {t('details.listed')} <RelativeTime at={at} />
    </>
  )
}

function Switched({ on }: { on: boolean | null }) {
  const { t } = useTranslation('domains')
  if (on === null) return <Unread />
  return <StateBadge quiet tone={on ? 'good' : 'idle'} label={t(on ? 'details.on' : 'details.off')} />
}

function None() {
  return <span className={classes['none']}>–</span>
}

function CopyList({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return <None />
  return (
    <ul className={classes['list']}>
      {texts.map((text) => (
        <li key={text}>
          <CopyText text={text} />
        </li>
      ))}
    </ul>
  )
}

function DetailsSkeleton() {
  return (
    <>
      <div className={classes['sections']}>
        {[9, 6, 3, 2].map((facts) => (
          <section key={facts} className={classes['section']}>
            <Skeleton width={120} height={12} />
            <div className={classes['facts']}>
              {Array.from({ length: facts }, (_, fact) => (
                <Skeleton key={fact} width={`${55 + ((fact * 17) % 35)}%`} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </>
  )
}
