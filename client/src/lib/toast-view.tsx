import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import '#client/theme/toasts.css'
import { i18next } from './i18n.ts'

export interface ToastAction {
  label: string
  run: () => void
}

export interface ToastMessage {
  kind: 'success' | 'info' | 'warning' | 'error'
  title: string
  text?: ReactNode
  /** Identifies a toast, so that a repeated problem is shown once. */
  id?: string
  /** An action such as undo, shown as a button; such a toast stays longer. */
  action?: ToastAction
  /** A second action. */
  otherAction?: ToastAction
}

const kinds = {
  success: { icon: IconCircleCheck, color: 'var(--good)', autoCloseMs: 5000 },
  info: { icon: IconInfoCircle, color: 'var(--info)', autoCloseMs: 5000 },
  warning: { icon: IconAlertTriangle, color: 'var(--warn)', autoCloseMs: 8000 },
  error: { icon: IconCircleX, color: 'var(--bad)', autoCloseMs: 10_000 },
} as const

const actionCloseMs = 10_000
let shown = 0

export function showToast({ kind, title, text, action, otherAction, ...named }: ToastMessage): void {
  const { icon: Icon, color, autoCloseMs } = kinds[kind]
  const id = named.id ?? (action && `action-${(shown += 1)}`)
  const run = (selected: ToastAction): void => {
    if (id !== undefined) notifications.hide(id)
    selected.run()
  }
  const options = {
    title,
    message: action ? (
      <>
        {text === undefined ? null : <div>{text}</div>}
        <div className="toast-actions">
          {[action, otherAction].map((each) =>
            each === undefined ? null : (
              <Button key={each.label} variant="default" size="xs" onClick={() => run(each)}>
                {each.label}
              </Button>
            ),
          )}
        </div>
      </>
    ) : (
      (text ?? null)
    ),
    icon: <Icon size={18} stroke={1.8} />,
    autoClose: action ? actionCloseMs : autoCloseMs,
    withCloseButton: true,
    closeButtonProps: { 'aria-label': i18next.t('common:close') },
    style: { '--toast-color': color },
    'data-kind': kind,
    role: kind === 'error' ? 'alert' : 'status',
    // Offers to undo, which stay longer, would hold it back.
    priority: kind === 'error' || kind === 'warning' ? 1 : 0,
  }
  if (id === undefined) {
    notifications.show(options)
    return
  }
  // A repeated problem restarts its toast.
  notifications.show({ ...options, id })
  notifications.update({ ...options, id })
}

export function Toasts() {
  return <Notifications position="top-right" limit={5} containerWidth={380} transitionDuration={160} />
}
