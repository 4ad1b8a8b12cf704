import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReconcileRow, TrackerDomainView } from '#shared/features/trackers/schema.ts'
import { formatDate } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { CutName, TrackerMark } from '../tracker-mark.tsx'
import { DomainCell } from '../domain-cell.tsx'
import { StateList } from './state-list.tsx'

type Said = Pick<TrackerDomainView, 'problem' | 'solution' | 'sslProblem'>

/** A tracker's own text about a domain: the problem, then the advice; empty without a problem. */
export const saidOf = (domain: Said | null): readonly string[] =>
  domain === null ? [] : [domain.problem, domain.sslProblem, domain.solution].flatMap((part) => part || [])

/** The data of a tracker, Cloudflare and a registrar for one domain, side by side. */
export function useReconcileColumns(): readonly DataColumn<ReconcileRow>[] {
  const { t } = useTranslation('trackers')
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('column.domain'),
        width: 166,
        minWidth: 150,
        grow: true,
        hideable: false,
        cell: ({ displayName, zone }) => <DomainCell domainId={zone?.id ?? null} displayName={displayName} />,
      },
      { id: 'state', title: t('column.state'), width: 128, cell: ({ states }) => <StateList states={states} /> },
      {
        id: 'tracker',
        title: t('column.tracker'),
        width: 100,
        cell: ({ tracker }) =>
          tracker === null ? null : (
            <span className="row gap-8 shrink">
              <TrackerMark kind={tracker.kind} />
              <CutName name={tracker.name} />
            </span>
          ),
      },
      {
        id: 'said',
        title: t('column.said'),
        width: 116,
        grow: true,
        cell: ({ trackerDomain }) => {
          const said = saidOf(trackerDomain)
          return said.length === 0 ? null : <CutName name={said[0]} title={said.join('\n')} />
        },
      },
      {
        id: 'account',
        title: t('column.account'),
        width: 160,
        hiddenAtFirst: 'narrow',
        cell: ({ zone }) => (zone === null ? <span className="muted">{t('no_zone')}</span> : <CutName name={zone.account} />),
      },
      {
        id: 'address',
        title: t('column.address'),
        width: 150,
        cell: ({ zone, wantedAddresses, states }) => {
          if (zone === null || zone.originIPs.length === 0) return null
          const [address, ...others] = zone.originIPs
          const wanted = wantedAddresses.length === 0 ? null : t('wanted', { addresses: wantedAddresses.join(', ') })
          return (
            <span className="column shrink line-16" title={[zone.originIPs.join(', '), ...(wanted === null ? [] : [wanted])].join('\n')}>
              <span className="row gap-8 shrink">
                <span className="cut shrink">{address}</span>
                {others.length === 0 ? null : <small className="fixed size-12 muted">+{others.length}</small>}
              </span>
              {wanted === null || !states.includes('address_differs') ? null : <small className="cut shrink muted">{wanted}</small>}
            </span>
          )
        },
      },
      {
        id: 'registrar',
        title: t('column.registrar'),
        width: 124,
        hiddenAtFirst: 'narrow',
        cell: ({ registrar }) => {
          if (registrar === null) return null
          return (
            <span className="column shrink line-16">
              <CutName name={registrar.name} />
              {registrar.paidUntil === null ? null : <small className="muted">{formatDate(registrar.paidUntil)}</small>}
            </span>
          )
        },
      },
    ],
    [t],
  )
}
