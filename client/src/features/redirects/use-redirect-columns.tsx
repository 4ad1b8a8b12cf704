import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { displayAddress } from '#shared/features/redirects/redirect-url.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { effectiveOptions } from './options.ts'

export function useRedirectColumns(): readonly DataColumn<Redirect>[] {
  const { t } = useTranslation('redirects')
  return useMemo(
    () => [
      {
        id: 'source',
        title: t('column.source'),
        width: 320,
        minWidth: 160,
        grow: true,
        hideable: false,
        cell: ({ source }) => <Address text={source} />,
      },
      { id: 'target', title: t('column.target'), width: 320, minWidth: 160, grow: true, cell: ({ target }) => <Address text={target} /> },
      { id: 'status', title: t('column.status'), width: 90, cell: ({ status }) => <span className="code size-12">{status}</span> },
      {
        id: 'options',
        title: t('column.options'),
        width: 220,
        cell: (redirect) => <RedirectOptions redirect={redirect} />,
      },
    ],
    [t],
  )
}

export function Address({ text }: { text: string }) {
  return (
    <bdi className="cut block shrink mono" dir="ltr" title={text}>
      {displayAddress(text)}
    </bdi>
  )
}

/** What is on, in one word each. */
export function RedirectOptions({ redirect }: { redirect: Redirect }) {
  const { t } = useTranslation('redirects')
  return (
    <span className="cut block shrink size-12 muted">
      {effectiveOptions(redirect)
        .map((option) => t(`short.${option}`))
        .join(' · ')}
    </span>
  )
}
