import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { originSoonAtMs } from '#shared/features/domains/origin-certificates/choices.ts'
import { useAllowed } from '#client/features/sharing/index.ts'
import { messageOf, providerWords } from '#client/lib/errors.ts'
import { counted, formatDate, useNow } from '#client/lib/format.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { utils } from '#client/lib/trpc.ts'
import { CopyText } from '#client/ui/display/copy-button.tsx'
import { StateBadge, type Tone } from '#client/ui/display/state-badge.tsx'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { useOriginCertificates, type OriginCertificate } from './queries.ts'
import classes from './origin-certificates.module.css'

const IssueDialog = lateDialog(async () => (await import('./issue-dialog.tsx')).IssueDialog)
const RevokeDialog = lateDialog(async () => (await import('./revoke-dialog.tsx')).RevokeDialog)
const KeyDialog = lateDialog(async () => (await import('./key-dialog.tsx')).KeyDialog)

const dayMs = 86_400_000

/** Certificates for the connection from Cloudflare to the server. `locked`: why nothing can be changed. */
export function OriginCertificatesSection({ domainId, name, locked }: { domainId: string; name: string; locked: string | null }) {
  const { t } = useTranslation('security')
  const { list, updating, error, renew } = useOriginCertificates(domainId)
  const [issuing, setIssuing] = useState(false)
  const read = list !== undefined && list.readAt !== null
  const issue = (
    <Button size="xs" disabled={locked !== null} title={locked ?? undefined} onClick={() => setIssuing(true)}>
      {t('origin.issue')}
    </Button>
  )
  return (
    <section className={classes['section']} aria-labelledby="security-origin" aria-busy={!read && error === null}>
      <header className={`row wrap between ${classes['head']}`}>
        <h2 id="security-origin">{t('origin.title')}</h2>
        {read ? (
          <span className="inline gap-4">
            <Freshness at={list.readAt} updating={updating} />
            <Button variant="subtle" size="xs" leftSection={<IconRefresh size={14} stroke={1.7} />} disabled={updating} onClick={renew}>
              {t('certificates.renew')}
            </Button>
          </span>
        ) : null}
      </header>
      <p className={`size-12 muted pretty ${classes['help']}`}>{t('origin.help')}</p>
      {read ? (
        <>
          {error === null || updating ? null : (
            <p className={`size-12 warn ${classes['help']}`} role="status">
              {[t('certificates.stale'), messageOf(error), providerWords(error)].filter((words) => words !== undefined).join(' ')}
            </p>
          )}
          {list.certificates.length === 0 ? (
            <EmptyState picture="empty" title={t('origin.none')} text={t('origin.none_text')} action={issue} />
          ) : (
            <>
              <div className={classes['help']}>{issue}</div>
              <ul aria-label={t('origin.title')}>
                {list.certificates.map((certificate) => (
                  <Certificate key={certificate.id} domainId={domainId} certificate={certificate} locked={locked} />
                ))}
              </ul>
            </>
          )}
        </>
      ) : error !== null ? (
        <ErrorState title={t('origin.failed')} error={error} onRetry={renew} />
      ) : (
        <div className={classes['wait']} role="status">
          <span className="sr-only">{t('reading')}</span>
          <Skeleton width="40%" />
          <Skeleton width="65%" />
        </div>
      )}
      {issuing ? <IssueDialog domainId={domainId} name={name} onClose={() => setIssuing(false)} /> : null}
    </section>
  )
}

const typeNames: Record<string, string> = { rsa: 'RSA', ecc: 'ECC' }

const tones: Record<OriginCertificate['state'] | 'expires_soon', Tone> = {
  active: 'good',
  expires_soon: 'warn',
  expired: 'bad',
  unlisted: 'warn',
  unknown: 'warn',
}

function shownState({ state, expiresAt, validityDays }: OriginCertificate, nowMs: number): keyof typeof tones {
  const soon = state === 'active' && expiresAt !== null && originSoonAtMs(Date.parse(expiresAt), validityDays) < nowMs
  return soon ? 'expires_soon' : state
}

function Certificate({ domainId, certificate, locked }: { domainId: string; certificate: OriginCertificate; locked: string | null }) {
  const { t } = useTranslation('security')
  const nowMs = useNow()
  const own = useAllowed('own')
  const [asked, setAsked] = useState<'revoke' | 'show' | 'forget' | null>(null)
  const { id, serial, hostnames, type, expiresAt, state, hasKey } = certificate
  const daysLeft = expiresAt === null ? null : Math.floor((Date.parse(expiresAt) - nowMs) / dayMs)
  const left =
    daysLeft === null ? null : daysLeft < 0 ? t('certificates.ago', counted(-daysLeft)) : t('certificates.left', counted(daysLeft))
  const heading = `origin-${id}`
  const shown = shownState(certificate, nowMs)
  const lock = { disabled: locked !== null, title: locked ?? undefined }

  const download = async (): Promise<void> => {
    try {
      const { certificate: found } = await utils.originCertificates.get.fetch({ id: domainId, certificateId: id })
      if (found.pem !== null) saveFile(`${hostnames[0]?.replace('*.', '') ?? 'origin'}.pem`, 'application/x-pem-file', found.pem)
    } catch (error) {
      toast.failure(error, t('origin.download_failed'))
    }
  }

  return (
    <li className="p-14-16 line-top" aria-labelledby={heading}>
      <div className={`row wrap ${classes['title']}`}>
        <h3 id={heading} className="size-13 semibold anywhere">
          <bdi>{hostnames[0] ?? serial}</bdi>
        </h3>
        <StateBadge tone={tones[shown]} label={t(`origin.states.${shown}`)} />
        {left === null ? null : <span className="size-12 muted">{left}</span>}
      </div>
      {state === 'unknown' || state === 'unlisted' ? <p className="size-12 secondary pretty">{t(`origin.state_help.${state}`)}</p> : null}
      <dl className={classes['facts']}>
        <div>
          <dt className="size-12 muted">{t('certificates.expires')}</dt>
          <dd>{expiresAt === null ? '—' : formatDate(expiresAt)}</dd>
        </div>
        <div>
          <dt className="size-12 muted">{t('origin.type')}</dt>
          <dd>{typeNames[type] ?? type}</dd>
        </div>
        <div data-wide>
          <dt className="size-12 muted">{t('certificates.hosts')}</dt>
          <dd>
            <ul className={`flex wrap shrink ${classes['hosts']}`}>
              {hostnames.map((host) => (
                <li className="within" key={host}>
                  <CopyText text={host} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
        {serial === null ? null : (
          <div data-wide>
            <dt className="size-12 muted">{t('origin.serial')}</dt>
            <dd>
              <CopyText text={serial} />
            </dd>
          </div>
        )}
        <div data-wide>
          <dt className="size-12 muted">{t('origin.key')}</dt>
          <dd>{t(hasKey ? 'origin.key_kept' : 'origin.key_not_kept')}</dd>
        </div>
      </dl>
      <div className="row gap-8 wrap mt-12">
        {serial === null ? null : (
          <Button variant="default" size="xs" onClick={() => void download()}>
            {t('origin.download')}
          </Button>
        )}
        {hasKey && own ? (
          <Button variant="default" size="xs" onClick={() => setAsked('show')}>
            {t('origin.show_key')}
          </Button>
        ) : null}
        {hasKey ? (
          <Button variant="default" size="xs" {...lock} onClick={() => setAsked('forget')}>
            {t('origin.forget_key')}
          </Button>
        ) : null}
        {serial === null ? null : (
          <Button variant="default" size="xs" {...lock} onClick={() => setAsked('revoke')}>
            {t('origin.revoke')}
          </Button>
        )}
      </div>
      {asked === 'revoke' ? <RevokeDialog domainId={domainId} certificate={certificate} onClose={() => setAsked(null)} /> : null}
      {asked === 'show' || asked === 'forget' ? (
        <KeyDialog domainId={domainId} certificate={certificate} action={asked} onClose={() => setAsked(null)} />
      ) : null}
    </li>
  )
}
