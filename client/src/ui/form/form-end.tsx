import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormError } from './form-error.tsx'
import classes from './form.module.css'

/** The end of a form in a dialog: the error without a field, the secondary button, and the primary one. */
export function FormEnd({
  refusal = null,
  note = null,
  action,
  cancel,
  busy,
  incomplete = false,
  stays = false,
  sticky = false,
  onCancel,
}: {
  refusal?: string | null
  /** Why nothing was done, if that is not an error. */
  note?: string | null
  /** The label of the submit button. */
  action: string
  /** The secondary button, if it does more than close. */
  cancel?: string
  busy: boolean
  /** Required data is still loading. */
  incomplete?: boolean
  /** It cannot be closed while submitting. */
  stays?: boolean
  /** It stays in view while the dialog scrolls. */
  sticky?: boolean
  onCancel: () => void
}) {
  const { t } = useTranslation()
  return (
    <>
      {refusal === null ? null : <FormError text={refusal} />}
      {note === null ? null : (
        <p role="status" className={`size-13 primary radius-8 ${classes['note']}`}>
          {note}
        </p>
      )}
      <div className={sticky ? `${classes['actions']} ${classes['stays']}` : classes['actions']}>
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
