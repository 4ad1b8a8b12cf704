import { Button, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle, type Icon } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import { companyOf, hasApi } from '#shared/features/registrars/rules.ts'
import type { ReadinessCheckView, Registrar } from '#shared/features/registrars/schema.ts'
import { firstOf } from '#client/lib/text.ts'
import { formatMoney } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import forms from '#client/ui/form/form.module.css'
import classes from './registrars.module.css'

const icons: Readonly<Record<ReadinessCheckView['state'], Icon>> = {
  ok: IconCircleCheck,
  warning: IconAlertTriangle,
  failed: IconCircleX,
  unknown: IconHelpCircle,
}
const listedAtMost = 12

/** Checks at the provider whether the registrar works, with advice in its terms if not. */
export function RegistrarCheckDialog({ registrar, onEdit, onClose }: { registrar: Registrar; onEdit: () => void; onClose: () => void }) {
  const { t } = useTranslation(['registrars', 'common'])
  const { mutate, ...check } = trpc.registrars.examine.useMutation({
    meta: { failure: false },
    onSettled: () => void refresh('registrars'),
  })
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    mutate({ id: registrar.id })
  }, [mutate, registrar.id])
  const found = check.data
  const balance = found?.registrar.balance ?? null
  const bad = found?.checks.some(({ state }) => state === 'failed') === true
  return (
    <Dialog onClose={onClose} title={t('check.title', { registrar: registrar.name })} size={520}>
      <div className="column gap-16">
        {check.isError ? (
          <ErrorState title={t('failed.check')} error={check.error} onRetry={() => mutate({ id: registrar.id })} />
        ) : found === undefined || check.isPending ? (
          <p className={`row gap-10 secondary ${classes['waiting']}`} role="status">
            <Loader size="xs" />
            {t('check.asking', { provider: companyOf(registrar) })}
          </p>
        ) : (
          <ul className="grid gap-12">
            {hasApi(registrar) ? found.checks.map((each) => <Finding key={each.id} check={each} provider={registrar.provider} />) : null}
          </ul>
        )}
        {balance === null || bad ? null : (
          <p className={`size-12 muted ${classes['help']}`}>{t('check.balance_is', { balance: formatMoney(balance) })}</p>
        )}
        <div className={forms['actions']}>
          {bad && registrar.shared === null ? (
            <Button
              variant="default"
              onClick={() => {
                onClose()
                onEdit()
              }}
            >
              {t('actions.edit')}
            </Button>
          ) : null}
          <Button variant="default" loading={check.isPending} onClick={() => mutate({ id: registrar.id })}>
            {t('check.again')}
          </Button>
          <Button onClick={onClose}>{t('common:close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}

function Finding({ check, provider }: { check: ReadinessCheckView; provider: RegistrarProvider }) {
  const { t } = useTranslation('registrars')
  const { id, state, code, message, details } = check
  const Symbol = icons[state]
  const { shown, more } = firstOf(details, listedAtMost)
  return (
    <li className={`grid gap-10 size-13 ${classes['check']}`} data-state={state}>
      <Symbol size={18} stroke={1.7} role="img" aria-label={t(`check.state.${state}`)} />
      <div>
        <strong>{t(`check.${id}`)}</strong>
        {state === 'ok' ? null : <p>{id === 'balance' ? t('todo.balance') : t(`todo.${id}.${provider}`)}</p>}
        {details.length === 0 ? null : (
          <p className="mono">
            {shown.join(', ')}
            {more > 0 ? ` … +${more}` : ''}
          </p>
        )}
        {message === null ? null : (
          <p className={classes['muted']}>
            <bdi>{[code, message].filter(Boolean).join(': ')}</bdi>
          </p>
        )}
      </div>
    </li>
  )
}
