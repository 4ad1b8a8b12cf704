import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { IncidentDialog } from '../incident-dialog.tsx'
import { IncidentLength } from '../incident-length.tsx'
import { healthTone } from '../format.ts'
import { useIncidentWords } from '../use-incident-words.ts'
import { HealthSection } from './health-section.tsx'
import classes from '../monitoring.module.css'

/** The latest incidents of a domain, newest first. */
export function DomainIncidents({ domainId }: { domainId: string }) {
  const { t } = useTranslation('monitoring')
  const words = useIncidentWords()
  const list = trpc.monitoring.incidents.useQuery({ zoneId: domainId, limit: 20 })
  const incidents = list.data?.incidents ?? []
  const [openId, setOpenId] = useState<string | null>(null)
  const open = incidents.find(({ id }) => id === openId)
  return (
    <HealthSection title={t('tabs.incidents')}>
      {incidents.length === 0 ? (
        <p className="size-12 muted">{t('domain.no_incidents')}</p>
      ) : (
        <ul className={`column ${classes['incidents']}`}>
          {incidents.map((incident) => (
            <li key={incident.id}>
              <button type="button" onClick={() => setOpenId(incident.id)}>
                <StatusDot
                  tone={incident.closedAt === null ? healthTone[incident.health] : 'idle'}
                  label={t(incident.closedAt === null ? 'incidents.open' : 'incidents.closed')}
                />
                <span className="cut block shrink">{words(incident)}</span>
                <span className="size-12 muted">{formatDateTime(incident.openedAt)}</span>
                <strong>
                  <IncidentLength incident={incident} />
                </strong>
              </button>
            </li>
          ))}
        </ul>
      )}
      {open === undefined ? null : <IncidentDialog id={open.id} known={open} onClose={() => setOpenId(null)} />}
    </HealthSection>
  )
}
