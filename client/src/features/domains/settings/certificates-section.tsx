import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { messageOf, providerWords } from '#client/lib/errors.ts'
import { useNow } from '#client/lib/format.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { Switch } from '#client/ui/form/switch.tsx'
import { CertificateCard } from './certificate-card.tsx'
import { CertificateTimeline } from './certificate-timeline.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './mutations.ts'
import { useSsl, type ZoneSettings } from './queries.ts'
import classes from './security-tab.module.css'

/** The certificates served to visitors, and their expiry (R-DET-04). */
export function CertificatesSection({ domainId, zone }: { domainId: string; zone: ZoneSettings | undefined }) {
  const { t } = useTranslation('security')
  const { ssl, updating, error, renew } = useSsl(domainId)
  const nowMs = useNow()
  const read = ssl !== undefined && ssl.readAt !== null
  return (
    <section className={classes['section']} aria-labelledby="security-certificates" aria-busy={!read && error === null}>
      <header className={`row wrap between ${classes['head']}`}>
        <h2 id="security-certificates">{t('certificates.title')}</h2>
        {read ? (
          <span className="inline gap-4">
            <Freshness at={ssl.readAt} updating={updating} />
            <Button variant="subtle" size="xs" leftSection={<IconRefresh size={14} stroke={1.7} />} disabled={updating} onClick={renew}>
              {t('certificates.renew')}
            </Button>
          </span>
        ) : null}
      </header>
      {read ? (
        <>
          {error === null || updating ? null : (
            <p className={`size-12 warn ${classes['stale']}`} role="status">
              {[t('certificates.stale'), messageOf(error), providerWords(error)].filter((words) => words !== undefined).join(' ')}
            </p>
          )}
          {zone === undefined ? null : <UniversalRow zone={zone} enabled={ssl.universalEnabled} />}
          {ssl.certificates.length === 0 ? (
            <EmptyState
              picture="empty"
              title={t('certificates.none')}
              text={t(ssl.universalEnabled === false ? 'certificates.none_text' : 'certificates.none_coming')}
            />
          ) : (
            <>
              <CertificateTimeline certificates={ssl.certificates} nowMs={nowMs} />
              <ul aria-label={t('certificates.title')}>
                {ssl.certificates.map((certificate) => (
                  <CertificateCard
                    key={certificate.id}
                    certificate={certificate}
                    verification={ssl.verification.find(({ certificateId }) => certificateId === certificate.id)}
                    nowMs={nowMs}
                  />
                ))}
              </ul>
            </>
          )}
        </>
      ) : error !== null ? (
        <ErrorState title={t('certificates.failed')} error={error} onRetry={renew} />
      ) : (
        <div className={classes['wait']} role="status">
          <span className="sr-only">{t('reading')}</span>
          <Skeleton width="40%" />
          <Skeleton height={8} />
          <Skeleton width="65%" />
          <Skeleton width="50%" />
        </div>
      )}
    </section>
  )
}

function UniversalRow({ zone, enabled }: { zone: ZoneSettings; enabled: boolean | null }) {
  const { t } = useTranslation('security')
  const name = t('universal.name')
  const known: ZoneSettings = {
    ...zone,
    current: { ...zone.current, universalSsl: zone.current.universalSsl ?? enabled },
    state: { ...zone.state, universalSsl: zone.state.universalSsl ?? enabled },
  }
  const { value, locked, question, change } = useSetting(known, 'universalSsl', {
    name,
    failure: t('universal.failed'),
    wordsOf: (on) => t(on ? 'on' : 'off'),
  })
  return (
    <SettingRow name={name} help={t('universal.help')} place="switch" unread={value === null} locked={locked} question={question}>
      {(ids) => <Switch {...ids} on={value === true} disabled={locked !== null || value === null} onChange={change} />}
    </SettingRow>
  )
}
