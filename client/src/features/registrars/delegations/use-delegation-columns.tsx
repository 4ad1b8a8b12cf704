import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DelegationView } from '#shared/features/registrars/schema.ts'
import type { NameServerTruth } from '#shared/features/domains/settings/schema.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { RegistrarMark } from '../registrar-state.tsx'
import classes from '../registrars.module.css'

const tones: Record<NameServerTruth['state'], Tone> = { right: 'good', partly: 'warn', elsewhere: 'bad', none: 'bad', unknown: 'idle' }

/** The DNS result of a domain, or that it was not checked yet. */
export function DnsState({ truth }: { truth: NameServerTruth | undefined }) {
  const { t } = useTranslation(['registrars', 'zone'])
  if (truth === undefined) return <span className={classes['muted']}>{t('delegation.not_checked')}</span>
  return (
    <span title={truth.delegated?.join(', ')}>
      <StateBadge quiet tone={tones[truth.state]} label={t(`zone:ns.state.${truth.state}`)} />
    </span>
  )
}

/** Why a domain is on the list. */
export function DelegationState({ state }: Pick<DelegationView, 'state'>) {
  const { t } = useTranslation('registrars')
  return <StateBadge quiet tone={state === 'waiting' ? 'warn' : 'bad'} label={t(`delegation.state.${state}`)} />
}

export function useDelegationColumns(truths: ReadonlyMap<string, NameServerTruth>): readonly DataColumn<DelegationView>[] {
  const { t } = useTranslation('registrars')
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('delegation.column.name'),
        width: 180,
        minWidth: 140,
        grow: true,
        hideable: false,
        cell: ({ zoneId: domainId, displayName }) => (
          <Link to="/domains/$id" params={{ id: domainId }} className={`${classes['grow']} mono`} title={displayName}>
            <bdi>{displayName}</bdi>
          </Link>
        ),
      },
      {
        id: 'state',
        title: t('delegation.column.state'),
        width: 200,
        cell: ({ state }) => <DelegationState state={state} />,
      },
      {
        id: 'registrar',
        title: t('delegation.column.registrar'),
        width: 145,
        cell: ({ registrar }) =>
          registrar === null ? null : (
            <span className={`row gap-10 shrink medium ${classes['name']}`}>
              <RegistrarMark provider={registrar.provider} name={registrar.name} />
              <bdi>{registrar.name}</bdi>
            </span>
          ),
      },
      {
        id: 'dns',
        title: t('delegation.column.dns'),
        width: 110,
        cell: ({ zoneId: domainId }) => <DnsState truth={truths.get(domainId)} />,
      },
      {
        id: 'there',
        title: t('delegation.column.there'),
        width: 220,
        hiddenAtFirst: true,
        cell: ({ atRegistrar }) =>
          atRegistrar === null ? (
            <span className={classes['muted']}>{t('delegation.unknown')}</span>
          ) : (
            <span className={`${classes['servers']} mono`}>{atRegistrar.join(', ')}</span>
          ),
      },
      {
        id: 'wanted',
        title: t('delegation.column.wanted'),
        width: 320,
        grow: true,
        cell: ({ wanted }) => <span className={`${classes['servers']} mono`}>{wanted.join(', ')}</span>,
      },
    ],
    [t, truths],
  )
}
