import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog } from '#client/features/operations/index.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import links from '#client/ui/text-link.module.css'
import classes from './registrars.module.css'

const named = 8

/** Asks with what stays; one with domains cannot be deleted, and they are named (R-REG-04). */
export function DeleteRegistrarDialog({ registrar, onClose }: { registrar: Registrar; onClose: () => void }) {
  const { t } = useTranslation('registrars')
  const remove = trpc.registrars.remove.useMutation({ meta: { failure: t('failed.delete') } })
  const { id, name, domainsCount: count } = registrar
  return (
    <ConfirmDialog
      title={t('delete.title', { registrar: name })}
      consequence={count === 0 ? <p>{t('delete.text')}</p> : <Attached registrar={registrar} onLeave={onClose} />}
      action={t('delete.confirm')}
      things={1}
      blocked={count > 0}
      failure={t('failed.delete')}
      onConfirm={async () => {
        try {
          await remove.mutateAsync({ id })
        } finally {
          // Where somebody has attached a domain meanwhile, it is shown now.
          await refresh('registrars')
        }
        toast.success(t('done.deleted'), name)
      }}
      onClose={onClose}
    />
  )
}

function Attached({ registrar: { id, domainsCount: count }, onLeave }: { registrar: Registrar; onLeave: () => void }) {
  const { t } = useTranslation('registrars')
  const [detaching, setDetaching] = useState(false)
  const domains = trpc.domains.list.useQuery({ filter: { registrarIds: [id] }, limit: named }).data?.domains ?? []
  const more = count - domains.length
  return (
    <>
      <p>{t('delete.attached', { count, formatted: formatNumber(count) })}</p>
      <ul className={`grid gap-4 anywhere ${classes['attached']}`} aria-label={t('column.domains')}>
        {domains.map((domain) => (
          <li key={domain.id}>
            <bdi className="mono">{domain.displayName}</bdi>
          </li>
        ))}
        {domains.length > 0 && more > 0 ? (
          <li className={classes['muted']}>{t('delete.more', { count: more, formatted: formatNumber(more) })}</li>
        ) : null}
      </ul>
      <p className="row wrap gap-8-16">
        <Link to="/domains" search={{ registrar: id }} className={`hover-underline ${links['way']}`} onClick={onLeave}>
          {t('delete.show')}
        </Link>
        <Button variant="default" size="compact-sm" onClick={() => setDetaching(true)}>
          {t('delete.detach', { count, formatted: formatNumber(count) })}
        </Button>
      </p>
      {detaching ? (
        <Suspense>
          <BulkDialog
            kind="registrar"
            count={count}
            given={{ kind: 'registrar', input: { registrarId: null } }}
            targetOf={() => Promise.resolve({ filter: { registrarIds: [id] } })}
            onStarted={onLeave}
            onClose={() => setDetaching(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
