import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ReconcileRow } from '#shared/features/trackers/schema.ts'
import { formatDate } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { saidOf } from './use-reconcile-columns.tsx'
import { reconcileTones } from './state-list.tsx'
import { canRepair, repairs, type Repair } from './repairs.ts'
import forms from '#client/ui/form/form.module.css'
import classes from '../trackers.module.css'

/** The differences of one domain, the data of each source, and the repairs. */
export function RowDialog({ row, onRepair, onClose }: { row: ReconcileRow; onRepair: (repair: Repair) => void; onClose: () => void }) {
  const { t } = useTranslation(['trackers', 'common'])
  const { displayName, states, tracker, trackerDomain, zone, wantedAddresses, registrar } = row
  const said = saidOf(trackerDomain)
  const facts = [
    { label: t('column.tracker'), value: tracker?.name },
    {
      label: t('fact.campaign'),
      value: trackerDomain?.campaign === null ? undefined : (trackerDomain?.campaign.name ?? trackerDomain?.campaign.id),
    },
    { label: t('fact.group'), value: trackerDomain?.group === null ? undefined : (trackerDomain?.group.name ?? trackerDomain?.group.id) },
    { label: t('column.said'), value: said.length === 0 ? undefined : sentences(...said) },
    { label: t('column.account'), value: zone?.account },
    { label: t('column.address'), value: zone === null || zone.originIPs.length === 0 ? undefined : zone.originIPs.join(', ') },
    { label: t('fact.wanted'), value: wantedAddresses.length === 0 ? undefined : wantedAddresses.join(', ') },
    {
      label: t('column.registrar'),
      value:
        registrar === null
          ? undefined
          : registrar.paidUntil === null
            ? registrar.name
            : t('fact.paid', { registrar: registrar.name, date: formatDate(registrar.paidUntil) }),
    },
  ]
  const offered = repairs.filter((repair) => canRepair(repair, row))
  return (
    <Dialog onClose={onClose} title={<bdi className="mono">{displayName}</bdi>} size={560}>
      <div className="column gap-16">
        <ul className="column gap-8">
          {states.map((state) => (
            <li key={state} className={`flex gap-8 top size-13 ${classes['state']}`}>
              <StatusDot tone={reconcileTones[state]} />
              <span>
                <strong>{t(`differs.${state}`)}</strong>
                <br />
                <span className="muted">{t(`why.${state}`)}</span>
              </span>
            </li>
          ))}
        </ul>
        <dl className="facts">
          {facts.flatMap(({ label, value }) =>
            value === undefined
              ? []
              : [
                  <dt key={`${label} name`}>{label}</dt>,
                  <dd key={label}>
                    <bdi>{value}</bdi>
                  </dd>,
                ],
          )}
        </dl>
        <div className={forms['actions']}>
          {zone === null ? null : (
            <Button variant="default" renderRoot={(props) => <Link to="/domains/$id" params={{ id: zone.id }} {...props} />}>
              {t('open_domain')}
            </Button>
          )}
          {offered.map((repair, index) => (
            <Button key={repair} {...(index > 0 && { variant: 'default' as const })} onClick={() => onRepair(repair)}>
              {t(`repair.${repair}`)}
            </Button>
          ))}
        </div>
      </div>
    </Dialog>
  )
}
