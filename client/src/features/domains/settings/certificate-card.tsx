import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Certificate, SslState } from '#shared/features/domains/settings/schema.ts'
import { counted, formatDate } from '#client/lib/format.ts'
import { CopyText } from '#client/ui/display/copy-button.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { timesOf } from './certificate-state.ts'
import { useCertificateWords } from './use-certificate-words.ts'
import classes from './certificate-card.module.css'

const fileLike = new Set(['http'])

/** One certificate: authority, hosts, expiry, and the domain validation. */
export function CertificateCard({
  certificate,
  verification,
  nowMs,
}: {
  certificate: Certificate
  verification: SslState['verification'][number] | undefined
  nowMs: number
}) {
  const { t } = useTranslation('security')
  const words = useCertificateWords()
  const { tone, daysLeft } = timesOf(certificate, nowMs)
  const method = certificate.validationMethod ?? verification?.method ?? null
  const waits = certificate.state === 'pending_validation' || certificate.state === 'pending_issuance'
  const records = certificate.validationRecords.length > 0 ? certificate.validationRecords : waits ? (verification?.records ?? []) : []
  return (
    <li className="p-14-16 line-top">
      <div className={`row wrap ${classes['head']}`}>
        <h3 className="size-13 semibold">{words.type(certificate.type)}</h3>
        <StateBadge tone={tone} label={words.state(certificate)} />
        {certificate.state === 'other' || verification === undefined || verification.status === certificate.status ? null : (
          <span className="size-12 muted">{verification.status}</span>
        )}
      </div>
      <dl className={classes['facts']}>
        <Fact label={t('certificates.authority')}>{words.authority(certificate.authority)}</Fact>
        <Fact label={t('certificates.validity')}>
          {certificate.validityDays === null ? null : t('certificates.days', counted(certificate.validityDays))}
        </Fact>
        <Fact label={t('certificates.expires')}>
          {certificate.expiresAt === null ? null : (
            <>
              {formatDate(certificate.expiresAt)} <small>{words.left(certificate, daysLeft)}</small>
            </>
          )}
        </Fact>
        <Fact label={t('certificates.method')}>{method === null ? null : words.method(method)}</Fact>
        <Fact label={t('certificates.hosts')} wide>
          <ul className={`flex wrap shrink ${classes['hosts']}`}>
            {certificate.hosts.map((host) => (
              <li className="within" key={host}>
                <CopyText text={host} />
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
      {certificate.validationErrors.length > 0 ? (
        <div className={classes['errors']}>
          <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
          <div>
            <strong>{t('certificates.refused')}</strong>
            {certificate.validationErrors.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        </div>
      ) : null}
      {records.length > 0 ? (
        <div className="size-13 border radius-8 mt-12 p-10-12">
          <p className="secondary">{t('certificates.prove')}</p>
          {records.map(({ kind, name, value }) => (
            <dl key={`${kind} ${name} ${value}`} className={`grid mt-8 ${classes['record']}`}>
              <Fact label={t('certificates.kind')}>{words.method(kind)}</Fact>
              <Fact label={t(fileLike.has(kind) ? 'certificates.address' : 'certificates.name')}>
                {name === '' ? null : <CopyText text={name} />}
              </Fact>
              <Fact label={t(fileLike.has(kind) ? 'certificates.body' : 'certificates.value')}>
                {value === '' ? null : <CopyText text={value} />}
              </Fact>
            </dl>
          ))}
        </div>
      ) : null}
    </li>
  )
}

function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={`shrink size-13 anywhere ${classes['fact']}`} data-wide={wide || undefined}>
      <dt className="size-12 muted">{label}</dt>
      <dd>{children ?? '—'}</dd>
    </div>
  )
}
