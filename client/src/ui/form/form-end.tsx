import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './form.module.css'

/** The end of a form in a dialog: what refused it and belongs to none of its fields, the secondary button, and the primary one. */
export function FormEnd({
  refusal = null,
  note = null,
  action,
  cancel,
  busy,
  incomplete = false,
  stays = false,
  onCancel,
}: {
  refusal?: string | null
  /** Why nothing came of it, where that is no fault. */
  note?: string | null
  /** What sends it is called. */
  action: string
  /** The secondary button, where it does more than close. */
  cancel?: string
  busy: boolean
  /** What it needs is still being read. */
  incomplete?: boolean
  /** It cannot be closed while it is being sent. */
  stays?: boolean
  onCancel: () => void
}) {
  const { t } = useTranslation()
  return (
    <>
      {refusal === null ? null : (
        <p role="alert" className="size-13 primary radius-8 on-bad p-8-12">
          {refusal}
        </p>
      )}
      {note === null ? null : (
        <p role="status" className={`size-13 primary radius-8 ${classes['note']}`}>
          {note}
        </p>
      )}
      <div className={classes['actions']}>
        <Button variant="default" onClick={onCancel} disabled={stays && busy}>
          {cancel ?? t('cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={incomplete}>
          {action}
        </Button>
      </div>
    </>
  )
}
