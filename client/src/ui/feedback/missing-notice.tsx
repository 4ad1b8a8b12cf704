import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import classes from './disappearance-notice.module.css'

/** Domains or DNS records that a provider suddenly no longer lists: they are kept until a person decides. */
export function MissingNotice({
  texts,
  title,
  text,
  which,
  consequence,
  list,
  missing,
  isKept,
  canDecide,
  onDecide,
}: {
  /** The texts common to all of a kind. */
  texts: 'missing' | 'missing_records'
  title: string
  text: string
  /** What `list` contains. */
  which: string
  /** What removal means. */
  consequence: string
  /** Rendered once it is opened. */
  list: () => ReactNode
  /** How many domains or records the decision concerns. */
  missing: number
  isKept: boolean
  canDecide: boolean
  /** Reports its own error. */
  onDecide: (decision: 'gone' | 'keep') => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const amount = counted(missing)
  const keep = (): void => {
    setBusy(true)
    void onDecide('keep')
      .then(() => toast.success(t(`${texts}.kept`, amount)))
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
        <summary>{which}</summary>
        {open ? list() : null}
      </details>
      {canDecide ? (
        <div className="flex gap-8">
          {isKept ? null : (
            <Button size="xs" variant="default" loading={busy} onClick={keep}>
              {t(`${texts}.keep`)}
            </Button>
          )}
          <Button size="xs" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {t(`${texts}.gone`)}
          </Button>
        </div>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={t(`${texts}.gone_title`, amount)}
          consequence={consequence}
          action={t(`${texts}.gone`)}
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
