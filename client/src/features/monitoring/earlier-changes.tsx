import { Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { OperationLine } from '#client/features/operations/index.ts'
import type { EarlierChange, IncidentDetails } from '#shared/features/monitoring/reports.ts'
import { formatNumber } from '#client/lib/format.ts'
import { joinFacts } from '#client/lib/text.ts'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { formatLength } from './format.ts'
import classes from './monitoring.module.css'

/** What was changed in the hour before an outage, and by whom. */
export function EarlierChanges({ details }: { details: IncidentDetails }) {
  const { t } = useTranslation('monitoring')
  const { changes } = details
  const title = useId()
  return (
    <section aria-labelledby={title} className="column gap-8">
      <h3 id={title}>{t('before.title')}</h3>
      {changes.length === 0 ? (
        <p className="secondary pretty">{t('before.none')}</p>
      ) : (
        <ul className="column gap-8">
          {changes.map((change) => (
            <Change
              key={`${change.source} ${change.at} ${change.actor ?? ''} ${change.operation?.id ?? ''}`}
              change={change}
              details={details}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The author if the audit log names nobody. */
const unknown = 'unknown'

const startUpper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function Change({ change, details: { incident, startedAt, affected } }: { change: EarlierChange; details: IncidentDetails }) {
  const { t } = useTranslation('monitoring')
  const { at, source, actor, kinds, domains, subject, account, operation } = change
  const what = startUpper(t(`before.${source}`, { what: kinds.map((kind) => t(`before.kinds.${kind}`)).join(', ') }))
  const facts = (
    <span className="size-12 secondary">
      {joinFacts(
        domains > 0
          ? t('before.domains', { count: affected.total, done: formatNumber(domains), formatted: formatNumber(affected.total) })
          : account && t('before.account', { name: account.name }),
        t('before.length', { length: formatLength(Math.max(1_000, Date.parse(startedAt) - Date.parse(at))) }),
        source === 'provider' && actor === unknown ? t('before.unknown_actor') : actor,
        operation === null ? subject : null,
      )}
    </span>
  )
  return (
    <li className={`flex wrap gap-8 card p-12-16 ${classes['earlier']}`}>
      {operation === null ? (
        <div className="column gap-2 anywhere">
          <span>{what}</span>
          {facts}
        </div>
      ) : (
        <ErrorBoundary>
          <Suspense fallback={<Skeleton width={180} height={38} />}>
            {/* Once the outage has ended, an undo could break what works. */}
            <OperationLine operation={{ ...operation, canUndo: operation.canUndo && incident.closedAt === null }}>{facts}</OperationLine>
          </Suspense>
        </ErrorBoundary>
      )}
    </li>
  )
}
