import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import { ErrorState } from './error-state.tsx'
import { Skeleton } from './skeleton.tsx'
import classes from './disappearance-notice.module.css'

/** What a provider's list suddenly lacks: nothing is removed until a second list or a person says so. */
export function DisappearanceNotice({
  title,
  text,
  missing,
  words,
  list,
  mayDecide,
  busy,
  onKeep,
  onGone,
}: {
  title: string
  text: string
  missing: number
  words: { which: string; keep: string; gone: string; goneTitle: string; goneText: string }
  /** Read when somebody wants to see it. */
  list: ReactNode
  mayDecide: boolean
  busy: boolean
  onKeep: () => void
  onGone: () => Promise<void>
}) {
  const [asking, setAsking] = useState(false)
  const [open, setOpen] = useState(false)
  return (
    <div className={`card grid gap-8 size-13 secondary ${classes['notice']}`} role="status">
      <p>
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        <strong>{title}</strong>
      </p>
      <p>{text}</p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{words.which}</summary>
        {open ? list : null}
      </details>
      {mayDecide ? (
        <div className="flex gap-8">
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

export function MissingNames({
  names,
  more,
  error,
  onRetry,
}: {
  names: readonly string[] | undefined
  /** How many more there are. */
  more: string
  error: unknown
  onRetry: () => void
}) {
  if (names === undefined) return error === null ? <Skeleton width="60%" /> : <ErrorState error={error} onRetry={onRetry} />
  return (
    <ul className={`scroll-y size-12 ${classes['names']}`}>
      {names.map((name) => (
        <li key={name} className="mono">
          <bdi>{name}</bdi>
        </li>
      ))}
      {more === '' ? null : <li>{more}</li>}
    </ul>
  )
}
