import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Registrar, RegistrarNameView } from '#shared/features/registrars/schema.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { ExpiryMark } from '../expiry-mark.tsx'
import { RegistrarMark } from '../registrar-state.tsx'
import { ServedCell } from './served-cell.tsx'
import type { Served } from './queries.ts'
import classes from '../registrars.module.css'

export function useUnboundColumns(
  registrars: readonly Registrar[] | undefined,
  servedOf: (row: RegistrarNameView) => Served,
): readonly DataColumn<RegistrarNameView>[] {
  const { t } = useTranslation('registrars')
  return useMemo(() => {
    const byId = new Map(registrars?.map((registrar) => [registrar.id, registrar]))
    return [
      {
        id: 'name',
        title: t('unbound.column.name'),
        width: 220,
        minWidth: 160,
        grow: true,
        hideable: false,
        cell: ({ displayName }) => (
          <bdi className="mono" title={displayName}>
            {displayName}
          </bdi>
        ),
      },
      {
        id: 'registrar',
        title: t('unbound.column.registrar'),
        width: 140,
        cell: ({ registrarId }) => {
          const registrar = byId.get(registrarId)
          return registrar === undefined ? null : (
            <span className={`row gap-10 shrink medium ${classes['name']}`}>
              <RegistrarMark provider={registrar.provider} name={registrar.name} />
              <bdi>{registrar.name}</bdi>
            </span>
          )
        },
      },
      {
        id: 'expires',
        title: t('unbound.column.expires'),
        width: 132,
        cell: ({ expiresAt }) => <ExpiryMark expiresAt={expiresAt} />,
      },
      {
        id: 'renew',
        title: t('unbound.column.renew'),
        width: 116,
        cell: ({ autoRenew }) =>
          autoRenew === null ? <span className={classes['muted']}>—</span> : t(autoRenew ? 'unbound.yes' : 'unbound.no'),
      },
      {
        id: 'servers',
        title: t('unbound.column.servers'),
        width: 340,
        grow: true,
        cell: (row) => <ServedCell served={servedOf(row)} />,
      },
    ]
  }, [registrars, servedOf, t])
}
