import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import { ErrorState } from './error-state.tsx'
import { Skeleton } from './skeleton.tsx'
import classes from './disappearance-notice.module.css'

/** What suddenly disappeared from a provider's list: nothing is removed until a second sync or a person confirms it. */
export function DisappearanceNotice({
  title,
  text,
  goneText,
  missing,
  list,
  mayDecide,
  onDecide,
}: {
  title: string
  text: string
  /** The consequences of confirming the removal. */
  goneText: string
  missing: number
  /** Loaded on request. */
  list: ReactNode
  mayDecide: boolean
  /** Shows its own error. */
  onDecide: (decision: 'keep' | 'gone') => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const amount = counted(missing)
  const keep = (): void => {
    setBusy(true)
    void onDecide('keep')
      .then(() => toast.success(t('missing.kept', amount)))
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <div className={`card grid gap-8 size-13 secondary ${classes['notice']}`} role="status">
      <p>
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        <strong>{title}</strong>
      </p>
      <p>{text}</p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('missing.which')}</summary>
        {open ? list : null}
      </details>
      {mayDecide ? (
        <div className="flex gap-8">
          <Button size="xs" variant="default" loading={busy} onClick={keep}>
            {t('missing.keep')}
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {t('missing.gone')}
          </Button>
        </div>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={t('missing.gone_title', amount)}
          consequence={goneText}
          action={t('missing.gone')}
          count={missing}
          onConfirm={async () => {
            await onDecide('gone')
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}

/** The first missing names, and the number of the others. */
export function MissingNames({
  found: { data, error, refetch },
}: {
  found: { data: { names: readonly string[]; missing: number } | undefined; error: unknown; refetch: () => unknown }
}) {
  const { t } = useTranslation()
  if (data === undefined) return error === null ? <Skeleton width="60%" /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const more = data.missing - data.names.length
  return (
    <ul className={`scroll-y size-12 ${classes['names']}`}>
      {data.names.map((name) => (
        <li key={name} className="mono">
          <bdi>{name}</bdi>
        </li>
      ))}
      {more > 0 ? <li>{t('missing.more', counted(more))}</li> : null}
    </ul>
  )
}
