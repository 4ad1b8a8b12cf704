import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SharedMark } from '#client/features/sharing/index.ts'
import { companyOf } from '#shared/features/registrars/rules.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { formatMoney, formatNumber } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { RegistrarMark, RegistrarState } from './registrar-state.tsx'
import classes from './registrars.module.css'

/** `withOwner`: the list contains registrars of other users. */
export function useRegistrarColumns(withOwner: boolean): readonly DataColumn<Registrar>[] {
  const { t } = useTranslation('registrars')
  return useMemo(
    () => [
      {
        id: 'registrar',
        title: t('column.registrar'),
        width: 260,
        minWidth: 180,
        grow: true,
        hideable: false,
        sortKey: 'name',
        cell: ({ name, provider, company, sandbox, shared, sharedWith }) => (
          <span className={`row gap-10 shrink medium ${classes['name']}`} title={name}>
            <RegistrarMark provider={provider} name={company ?? name} />
            <bdi>{name}</bdi>
            {sandbox ? <span className={classes['muted']}>{t('sandbox')}</span> : null}
            <SharedMark shared={shared} sharedWith={sharedWith} />
          </span>
        ),
      },
      {
        id: 'provider',
        title: t('column.provider'),
        width: 130,
        sortKey: 'provider',
        cell: (registrar) => <bdi title={companyOf(registrar)}>{companyOf(registrar)}</bdi>,
      },
      {
        id: 'state',
        title: t('column.state'),
        width: 180,
        sortKey: 'health',
        cell: (registrar) => <RegistrarState registrar={registrar} />,
      },
      {
        id: 'balance',
        title: t('column.balance'),
        width: 130,
        align: 'end',
        cell: ({ balance }) => (balance === null ? null : formatMoney(balance)),
      },
      {
        id: 'names',
        title: t('column.names'),
        width: 112,
        align: 'end',
        sortKey: 'namesCount',
        cell: ({ type, namesCount }) => (type === 'MANUAL' ? null : formatNumber(namesCount)),
      },
      {
        id: 'domains',
        title: t('column.domains'),
        width: 112,
        align: 'end',
        sortKey: 'domainsCount',
        cell: ({ domainsCount }) => formatNumber(domainsCount),
      },
      {
        id: 'read',
        title: t('column.read'),
        width: 140,
        cell: ({ sync }) => <span className={classes['muted']}>{sync.syncedAt === null ? null : <RelativeTime at={sync.syncedAt} />}</span>,
      },
      ...(withOwner
        ? [{ id: 'owner', title: t('column.owner'), width: 170, cell: (row: Registrar) => <PersonName label={row.ownerName} /> }]
        : []),
      {
        id: 'created',
        title: t('column.created'),
        width: 130,
        sortKey: 'createdAt',
        cell: ({ createdAt }) => (
          <span className={classes['muted']}>
            <RelativeTime at={createdAt} />
          </span>
        ),
      },
    ],
    [t, withOwner],
  )
}
