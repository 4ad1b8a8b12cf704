import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { readCause } from '#shared/features/monitoring/cause.ts'
import type { IncidentDetails } from '#shared/features/monitoring/reports.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import links from '#client/ui/display/text-link.module.css'
import { useCauseTitle } from './use-cause-title.ts'
import classes from './monitoring.module.css'

/** What the domains of an outage have in common, and the first of them. */
export function AffectedDomains({ details: { incident, causeName, affected } }: { details: IncidentDetails }) {
  const { t } = useTranslation(['monitoring', 'common'])
  const cause = useCauseTitle()
  const title = useId()
  const { total, domains } = affected
  const known = readCause(incident.cause)
  if (total === 0 || (total === 1 && known.kind === 'code')) return null
  const rest = total - domains.length
  // Domains of an account have no incidents of their own.
  const open = domains.filter(({ openedAt, closedAt }) => openedAt !== null && closedAt === null).length
  const more = { className: `underlined ${links['link']}`, children: t('common:and_more', counted(rest)) }
  return (
    <section aria-labelledby={title} className="column gap-8">
      <h3 id={title}>{t('affected.title', counted(total))}</h3>
      {rest > 0 || total === 1 || open === 0 ? null : (
        <p>{t('affected.still', { open: formatNumber(open), total: formatNumber(total) })}</p>
      )}
      {known.kind === 'code' ? null : <p className="secondary anywhere">{cause(incident.cause, causeName ?? '')}</p>}
      <ul className={`flex wrap baseline anywhere gap-2-12 ${classes['names']}`}>
        {domains.map(({ zoneId: domainId, name, displayName, openedAt, closedAt }) => (
          <li key={domainId ?? name} className={openedAt !== null && closedAt !== null ? 'muted' : undefined}>
            {domainId === null ? (
              <bdi className="mono">{displayName}</bdi>
            ) : (
              <Link to="/domains/$id/health" params={{ id: domainId }} className="mono">
                <bdi>{displayName}</bdi>
              </Link>
            )}
          </li>
        ))}
        {rest <= 0 ? null : (
          <li className="size-12">
            {known.kind === 'account' ? (
              <Link to="/domains" search={{ account: known.id }} {...more} />
            ) : (
              <Link
                to="/monitoring"
                search={{ tab: 'incidents', cause: incident.cause, ...(incident.closedAt === null && { state: 'open' }) }}
                {...more}
              />
            )}
          </li>
        )}
      </ul>
    </section>
  )
}
