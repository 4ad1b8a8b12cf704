import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { causes, isForReview } from '#shared/features/monitoring/cause.ts'
import { BulkDialog } from '#client/features/operations/index.ts'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { regions } from '#shared/features/monitoring/regions.ts'
import { reasonCodes } from '#shared/features/monitoring/reasons.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { failureOf } from '#client/lib/errors.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { joinFacts } from '#client/lib/text.ts'
import { counted, formatDateTime } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { AffectedDomains } from './affected-domains.tsx'
import { EarlierChanges } from './earlier-changes.tsx'
import { IncidentLength } from './incident-length.tsx'
import { ReasonList } from './reason-list.tsx'
import { healthTone, severityOf } from './format.ts'
import { useCauseTitle } from './use-cause-title.ts'
import { useReasonWords } from './use-reason-words.ts'
import { useWatching } from './mutations.ts'
import classes from './monitoring.module.css'

const kinds = ['opened', 'confirmed', 'notified', 'joined', 'recovered', 'reasons', 'acknowledged', 'muted', 'closed'] as const

/**
 * An incident: its reasons, the other domains of the outage, what changed before, the timeline and the actions.
 * @param known the incident from a list, shown while the rest is loading
 */
export function IncidentDialog({ id, known, onClose }: { id: string; known: Incident | undefined; onClose: () => void }) {
  const { t } = useTranslation('monitoring')
  const details = trpc.monitoring.incident.useQuery({ id })
  const incident = details.data?.incident ?? known
  const [replacing, setReplacing] = useState(false)
  if (replacing && incident !== undefined && incident.zoneId !== null) {
    const { zoneId: domainId, displayName } = incident
    return (
      <ErrorBoundary onFail={() => setReplacing(false)}>
        <Suspense>
          <BulkDialog
            kind="replace"
            count={1}
            about={{ domains: [{ id: domainId, displayName }] }}
            targetOf={() => Promise.resolve({ ids: [domainId] })}
            onStarted={onClose}
            onClose={() => setReplacing(false)}
          />
        </Suspense>
      </ErrorBoundary>
    )
  }
  const failure = details.error === null ? null : failureOf(details.error)
  const absent = failure?.kind === 'answered' && failure.data.code === 'not_found'
  return (
    <Dialog onClose={onClose} title={incident?.displayName ?? t('incidents.one')} size={680}>
      <div className="column gap-16 size-13">
        {incident === undefined ? null : <Head incident={incident} />}
        {absent ? (
          <EmptyState picture="lost" title={t('incidents.not_found')} text={t('incidents.not_found_text')} />
        ) : details.data !== undefined ? (
          <>
            <AffectedDomains details={details.data} />
            {details.data.affected.total === 0 ? null : <EarlierChanges details={details.data} />}
          </>
        ) : details.isError ? (
          <ErrorState title={t('failed.load_incident')} error={details.error} onRetry={() => void details.refetch()} />
        ) : (
          <Loading />
        )}
        {incident === undefined ? null : (
          <>
            <Timeline incident={incident} />
            <Foot incident={incident} onReplace={() => setReplacing(true)} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function Loading() {
  const { t } = useTranslation('common')
  return (
    <div className="column gap-8" role="status" aria-busy>
      <span className="sr-only">{t('loader.loading')}</span>
      <Skeleton width="40%" height={14} />
      <Skeleton width="80%" height={14} />
      <Skeleton width="100%" height={44} />
    </div>
  )
}

function Head({ incident }: { incident: Incident }) {
  const { t } = useTranslation('monitoring')
  const title = useCauseTitle()
  const { displayName, health, reasons, cause, openedAt, closedAt } = incident
  return (
    <>
      <p className={`row wrap secondary gap-4-12 ${classes['dialogHead']}`}>
        <StateBadge
          tone={closedAt === null ? healthTone[health] : 'idle'}
          label={closedAt === null ? t(`severity.${severityOf(health, cause)}`) : t('incidents.closed')}
        />
        <span>
          {formatDateTime(openedAt)}
          {closedAt === null ? null : ` – ${formatDateTime(closedAt)}`}
        </span>
        <strong>
          <IncidentLength incident={incident} />
        </strong>
      </p>
      {reasons.length === 0 ? (
        <p>
          {title(cause, displayName)}. {t('cause.account_advice')}
        </p>
      ) : (
        <ReasonList reasons={reasons} />
      )}
      {isForReview(cause) && closedAt === null ? (
        <Button
          variant="default"
          className="self-start"
          renderRoot={(props) =>
            cause === causes.code('abuse_reported') ? (
              <Link to="/abuse-reports" search={{ state: 'open' }} {...props} />
            ) : (
              <Link to="/activity-logs/changes" search={{ review: 'critical' }} {...props} />
            )
          }
        >
          {t(cause === causes.code('abuse_reported') ? 'incidents.review_abuse' : 'incidents.review_changes')}
        </Button>
      ) : null}
    </>
  )
}

/** Whether people know, and the actions. */
function Foot({ incident, onReplace }: { incident: Incident; onReplace: () => void }) {
  const { t } = useTranslation('monitoring')
  const { closedAt, acknowledgedBy, told, zoneId: domainId } = incident
  const domain = trpc.monitoring.ofDomain.useQuery({ id: domainId ?? '' }, { enabled: domainId !== null && closedAt === null })
  const mutedUntil = domain.data?.watched?.mutedUntil ?? null
  return (
    <>
      <p className="size-12 muted">
        {joinFacts(
          t(told ? 'incidents.alert_sent' : 'incidents.no_alert_sent'),
          acknowledgedBy && t('incidents.taken_by', { name: acknowledgedBy }),
          mutedUntil &&
            t('incidents.muted', {
              until: mutedUntil === 'forever' ? t('until_resumed') : t('until', { at: formatDateTime(mutedUntil) }),
            }),
        )}
      </p>
      <div className={`end flex wrap gap-8 ${classes['dialogActions']}`}>
        {domainId === null ? null : (
          <Button variant="default" renderRoot={(props) => <Link to="/domains/$id/health" params={{ id: domainId }} {...props} />}>
            {t('incidents.open_domain')}
          </Button>
        )}
        {closedAt === null && allows(incident.shared, 'operate') ? (
          <Actions incident={incident} isMuted={mutedUntil !== null} onReplace={onReplace} />
        ) : null}
      </div>
    </>
  )
}

function Actions({ incident, isMuted, onReplace }: { incident: Incident; isMuted: boolean; onReplace: () => void }) {
  const { t } = useTranslation('monitoring')
  const { id, zoneId: domainId, cause, acknowledgedBy } = incident
  const meta = { failure: t('failed.act') }
  const acknowledge = trpc.alerts.acknowledge.useMutation({
    meta,
    onSuccess: () => {
      void readAgain('monitoring')
      toast.success(t('done.acknowledged'))
    },
  })
  const mute = trpc.alerts.mute.useMutation({
    meta,
    onSuccess: () => {
      void readAgain('monitoring')
      toast.success(t('done.muted_incident'))
    },
  })
  const unmute = useWatching()
  return (
    <>
      {domainId === null ? null : (
        <Button variant="default" onClick={onReplace}>
          {t('incidents.replace')}
        </Button>
      )}
      {isForReview(cause) ? null : domainId === null || !isMuted ? (
        <Button variant="default" loading={mute.isPending} onClick={() => mute.mutate({ id })}>
          {t('incidents.mute')}
        </Button>
      ) : (
        <Button variant="default" loading={unmute.busy} onClick={() => unmute.mute([domainId], null)}>
          {t('incidents.unmute')}
        </Button>
      )}
      {acknowledgedBy === null ? (
        <Button loading={acknowledge.isPending} onClick={() => acknowledge.mutate({ id })}>
          {t('incidents.acknowledge')}
        </Button>
      ) : null}
    </>
  )
}

type Known = Pick<Reason, 'code' | 'params'>
const isKnown = (value: unknown): value is Known =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  reasonCodes.some((code) => code === value.code) &&
  'params' in value &&
  typeof value.params === 'object' &&
  value.params !== null
const reasonsOf = (value: unknown): Known[] => (Array.isArray(value) ? value.filter(isKnown) : [])

function Timeline({ incident: { timeline } }: { incident: Incident }) {
  const { t } = useTranslation('monitoring')
  const words = useReasonWords()
  /** Reasons of one code differ only in their details if it has kinds. */
  const textOf = (reason: Known): string => {
    const { what, detail } = words(reason)
    return reason.params['kind'] === undefined ? what : (detail ?? what)
  }
  if (timeline.length === 0) return null
  return (
    <ol className={`column gap-6 ${classes['timeline']}`} aria-label={t('timeline.label')}>
      {timeline.map(({ at, kind, ...rest }, index) => {
        const known = kinds.find((each) => each === kind)
        const found = kind === 'closed' ? [] : reasonsOf(rest['reasons'])
        const by = typeof rest['by'] === 'string' ? rest['by'] : null
        const from = regions.find((each) => each === rest['region'])
        const others = typeof rest['domains'] === 'number' ? rest['domains'] : 0
        return (
          <li className="grid gap-12" key={`${at} ${String(index)}`}>
            <time className="size-12 muted" dateTime={at}>
              {formatDateTime(at)}
            </time>
            <span>
              {[
                known === undefined ? kind : t(`timeline.${known}`, counted(others)),
                ...(by === null ? [] : [by]),
                ...(from === undefined ? [] : [t(`region.${from}`)]),
                [...new Set(found.map((each) => textOf(each)))].join('; '),
              ]
                .filter((part) => part !== '')
                .join(': ')}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
