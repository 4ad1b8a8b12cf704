import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog } from '#client/features/operations/index.ts'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { reasonCodes } from '#shared/features/monitoring/reasons.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { joinFacts } from '#client/lib/text.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { IncidentLength } from './incident-length.tsx'
import { ReasonList } from './reason-list.tsx'
import { healthTone, severityOf } from './format.ts'
import { useCauseTitle } from './use-cause-title.ts'
import { useReasonWords } from './use-reason-words.ts'
import { useWatching } from './mutations.ts'
import classes from './monitoring.module.css'

const kinds = ['opened', 'reasons', 'acknowledged', 'muted', 'closed'] as const

/** The reasons, the timeline and the actions of an incident. */
export function IncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { t } = useTranslation('monitoring')
  const title = useCauseTitle()
  const { displayName, health, reasons, cause, openedAt, closedAt, acknowledgedBy, told, zoneId: domainId } = incident
  const domain = trpc.monitoring.ofDomain.useQuery({ id: domainId ?? '' }, { enabled: domainId !== null && closedAt === null })
  const mutedUntil = domain.data?.watched?.mutedUntil ?? null
  const [replacing, setReplacing] = useState(false)
  if (replacing && domainId !== null) {
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
  return (
    <Dialog onClose={onClose} title={displayName} size={680}>
      <div className="column gap-16 size-13">
        <p className={`row wrap secondary gap-4-12 ${classes['dialogHead']}`}>
          <StateBadge
            tone={closedAt === null ? healthTone[health] : 'idle'}
            label={closedAt === null ? t(`severity.${severityOf(health)}`) : t('incidents.closed')}
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
        <Timeline incident={incident} />
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
            <Actions incident={incident} isMuted={mutedUntil !== null} onReplace={() => setReplacing(true)} />
          ) : null}
        </div>
      </div>
    </Dialog>
  )
}

function Actions({ incident, isMuted, onReplace }: { incident: Incident; isMuted: boolean; onReplace: () => void }) {
  const { t } = useTranslation('monitoring')
  const { id, zoneId: domainId, acknowledgedBy } = incident
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
      {domainId === null || !isMuted ? (
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
  if (timeline.length === 0) return null
  return (
    <ol className={`column gap-6 ${classes['timeline']}`} aria-label={t('timeline.label')}>
      {timeline.map(({ at, kind, ...rest }, index) => {
        const known = kinds.find((each) => each === kind)
        const found = kind === 'closed' ? [] : reasonsOf(rest['reasons'])
        const by = typeof rest['by'] === 'string' ? rest['by'] : null
        return (
          <li className="grid gap-12" key={`${at} ${String(index)}`}>
            <time className="size-12 muted" dateTime={at}>
              {formatDateTime(at)}
            </time>
            <span>
              {[
                known === undefined ? kind : t(`timeline.${known}`),
                ...(by === null ? [] : [by]),
                found.map((each) => words(each).what).join('; '),
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
