import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { handleSubmit } from '#client/lib/forms.ts'
import { Dialog } from './dialog.tsx'
import { Problem } from '../feedback/problem.tsx'

const typedAbove = 10

/** Confirms a destructive action with its consequence in numbers; above ten objects a word must be typed. */
export function ConfirmDialog({
  title,
  consequence,
  action,
  cancel,
  count,
  blocked = false,
  harmless = false,
  failure,
  onConfirm,
  onClose,
}: {
  title: string
  /** What will be lost, in numbers. */
  consequence: ReactNode
  /** The verb on the button. */
  action: string
  /** The label of the button that changes nothing. */
  cancel?: string
  /** The number of affected objects. */
  count: number
  /** It cannot be done; `consequence` says why. */
  blocked?: boolean
  /** Nothing is lost, so the button is not red. */
  harmless?: boolean
  /** Stays in the dialog after a failure, which the caller reports. */
  failure?: string
  /** Closes on success; if it throws, the dialog stays open. */
  onConfirm: () => Promise<void>
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const word = t('confirm.word')
  const isTyped = count > typedAbove && !blocked
  const ready = !blocked && (count <= typedAbove || typed.trim().toLowerCase() === word.toLowerCase())

  const run = async (): Promise<void> => {
    if (!ready || busy) return
    setBusy(true)
    setFailed(false)
    try {
      await onConfirm()
      onClose()
    } catch {
      // The caller has reported the failure.
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog onClose={busy ? () => undefined : onClose} title={title} size={440}>
      <form className="column gap-16" onSubmit={(event) => handleSubmit(event, run)}>
        <div className="size-13 secondary">{consequence}</div>
        {isTyped ? (
          <TextInput
            label={t('confirm.type', { word })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        ) : null}
        {failure === undefined ? null : <Problem text={failed ? failure : null} />}
        <div className="flex gap-8 end mt-4">
          {/* Otherwise the close button would get the focus. */}
          <Button variant="default" onClick={onClose} disabled={busy} {...(!isTyped && { 'data-autofocus': true })}>
            {cancel ?? t('cancel')}
          </Button>
          <Button type="submit" {...(!harmless && { color: 'red' })} disabled={!ready} loading={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
