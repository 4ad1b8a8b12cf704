import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog } from '#client/features/operations/index.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { firstOf } from '#client/lib/text.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import links from '#client/ui/display/text-link.module.css'
import classes from './registrars.module.css'

const named = 8

/** Confirms a deletion and states what stays; a registrar with domains cannot be deleted and is named (R-REG-04). */
export function DeleteRegistrarsDialog({
  registrars,
  onDone,
  onClose,
}: {
  registrars: readonly Registrar[]
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('registrars')
  const [only, ...others] = registrars
  const single = others.length === 0 ? only : undefined
  const failure = t(single === undefined ? 'failed.delete_several' : 'failed.delete')
  const remove = trpc.registrars.removeMany.useMutation({ meta: { failure } })
  const attached = registrars.filter(({ domainsCount }) => domainsCount > 0)
  const amount = counted(registrars.length)
  return (
    <ConfirmDialog
      title={single === undefined ? t('delete_several.title', amount) : t('delete.title', { registrar: single.name })}
      consequence={
        single !== undefined && attached.length > 0 ? (
          <Attached registrar={single} onLeave={onClose} />
        ) : (
          <>
            <p>
              {attached.length > 0
                ? t('delete_several.attached', { formatted: formatNumber(attached.length) })
                : t(single === undefined ? 'delete_several.text' : 'delete.text')}
            </p>
            {single === undefined ? <Names registrars={attached.length === 0 ? registrars : attached} /> : null}
          </>
        )
      }
      action={t(single === undefined ? 'delete_several.confirm' : 'delete.confirm')}
      count={registrars.length}
      blocked={attached.length > 0}
      failure={failure}
      onConfirm={async () => {
        try {
          await remove.mutateAsync({ ids: registrars.map(({ id }) => id) })
        } finally {
          // A domain attached in the meantime is shown now.
          await refresh('registrars')
        }
        if (single === undefined) toast.success(t('done.deleted_several', amount))
        else toast.success(t('done.deleted'), single.name)
        onDone()
      }}
      onClose={onClose}
    />
  )
}

function Names({ registrars }: { registrars: readonly Registrar[] }) {
  const { t } = useTranslation(['registrars', 'common'])
  const { shown, more } = firstOf(registrars, named)
  return (
    <ul className={`grid gap-4 anywhere ${classes['attached']}`} aria-label={t('title')}>
      {shown.map(({ id, name }) => (
        <li key={id}>
          <bdi>{name}</bdi>
        </li>
      ))}
      {more > 0 ? <li className={classes['muted']}>{t('common:and_more', counted(more))}</li> : null}
    </ul>
  )
}

function Attached({ registrar: { id, domainsCount: count }, onLeave }: { registrar: Registrar; onLeave: () => void }) {
  const { t } = useTranslation(['registrars', 'common'])
  const [detaching, setDetaching] = useState(false)
  const domains = trpc.domains.list.useQuery({ filter: { registrarIds: [id] }, limit: named }).data?.domains ?? []
  const more = count - domains.length
  return (
    <>
      <p>{t('delete.attached', counted(count))}</p>
      <ul className={`grid gap-4 anywhere ${classes['attached']}`} aria-label={t('column.domains')}>
        {domains.map((domain) => (
          <li key={domain.id}>
            <bdi className="mono">{domain.displayName}</bdi>
          </li>
        ))}
        {domains.length > 0 && more > 0 ? <li className={classes['muted']}>{t('common:and_more', counted(more))}</li> : null}
      </ul>
      <p className="row wrap gap-8-16">
        <Link to="/domains" search={{ registrar: id }} className={`hover-underline ${links['way']}`} onClick={onLeave}>
          {t('delete.show')}
        </Link>
        <Button variant="default" size="compact-sm" onClick={() => setDetaching(true)}>
          {t('delete.detach', counted(count))}
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
