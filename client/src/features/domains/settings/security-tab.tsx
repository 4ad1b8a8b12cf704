import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { codeWords } from '#client/lib/errors.ts'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { OriginCertificatesSection } from '../origin-certificates/origin-certificates-section.tsx'
import { BotsSection } from './bots-section.tsx'
import { CertificatesSection } from './certificates-section.tsx'
import { DnssecSection } from './dnssec-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useZoneSettings } from './queries.ts'
import classes from './security-tab.module.css'

/** The settings of R-DET-03 and the certificates of R-DET-04. */
export function SecurityTab({ domainId }: { domainId: string }) {
  const { t } = useTranslation('security')
  const zone = trpc.domains.full.useQuery({ id: domainId }).data?.zone
  const { query, shown } = useZoneSettings(domainId, typeof zone?.trackerType === 'string')
  const lock = useLock()
  const locked = zone?.gone === true ? t('gone') : lock('operate')
  return (
    <div className={classes['tab']}>
      <div className={`grid gap-16 start ${classes['sections']}`}>
        <div className="column gap-16">
          {shown !== undefined && shown.settings.readAt !== null ? (
            <>
              <SettingsSection zone={{ ...shown, locked }} />
              <BotsSection zone={{ ...shown, locked }} />
              <DnssecSection zone={{ ...shown, locked }} />
            </>
          ) : (
            <section className={classes['section']} aria-labelledby="security-settings" aria-busy={query.isPending}>
              <h2 id="security-settings" className={classes['title']}>
                {t('settings')}
              </h2>
              {query.isError ? (
                <ErrorState title={t('failed_to_load')} error={query.error} onRetry={() => void query.refetch()} />
              ) : (
                <Reading domainId={domainId} pending={query.isPending} />
              )}
            </section>
          )}
          {/* Below the settings, so that what loads above it moves nothing visible. */}
          {zone === undefined ? null : <OriginCertificatesSection domainId={domainId} name={zone.displayName} locked={locked} />}
        </div>
        <CertificatesSection domainId={domainId} zone={shown && { ...shown, locked }} />
      </div>
    </div>
  )
}

/** Shown before the first sync, with a button to start it and the reason if it failed. */
function Reading({ domainId, pending }: { domainId: string; pending: boolean }) {
  const { t } = useTranslation('security')
  const utils = trpc.useUtils()
  const refresh = trpc.zoneSettings.refresh.useMutation({
    meta: { failure: t('failed_to_load') },
    onSuccess: () => utils.domains.invalidate(),
  })
  const locked = useLock()('operate')
  const problem = refresh.data?.problems.find(({ part }) => part === 'settings' || part === 'zone')
  if (pending || refresh.isPending) {
    return (
      <div className={classes['wait']} data-settings role="status">
        <span className="sr-only">{t('reading')}</span>
        {[70, 45, 60, 50, 65].map((width) => (
          <Skeleton key={width} width={`${width}%`} />
        ))}
      </div>
    )
  }
  return (
    <EmptyState
      picture="empty"
      title={t('not_read')}
      text={problem === undefined ? undefined : (problem.message ?? codeWords(problem.code))}
      action={
        <Button variant="default" disabled={locked !== null} title={locked ?? undefined} onClick={() => refresh.mutate({ id: domainId })}>
          {t('read_now')}
        </Button>
      }
    />
  )
}
