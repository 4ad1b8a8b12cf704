import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import classes from './disappearance-notice.module.css'

/** What a provider's list suddenly lacks: nothing is removed until a second list or a person says so. */
export function DisappearanceNotice({
  title,
  text,
  missing,
  words,
  mayDecide,
  busy,
  onKeep,
  onGone,
}: {
  title: string
  text: string
  missing: number
  words: { keep: string; gone: string; goneTitle: string; goneText: string }
  mayDecide: boolean
  busy: boolean
  onKeep: () => void
  onGone: () => Promise<void>
}) {
  const [asking, setAsking] = useState(false)
  return (
    <div className={classes['notice']} role="status">
      <p>
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        <strong>{title}</strong>
      </p>
      <p>{text}</p>
      {mayDecide ? (
        <div className={classes['decision']}>
          <Button size="xs" variant="default" loading={busy} onClick={onKeep}>
            {words.keep}
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {words.gone}
          </Button>
        </div>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={words.goneTitle}
          consequence={words.goneText}
          action={words.gone}
          things={missing}
          onConfirm={onGone}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
