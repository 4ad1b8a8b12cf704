import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { failureOf, messageOf, providerWords } from './errors.ts'
import { i18next } from './i18n.ts'

const kinds = {
  success: { icon: IconCircleCheck, color: 'var(--good)', autoCloseMs: 4000 },
  info: { icon: IconInfoCircle, color: 'var(--info)', autoCloseMs: 5000 },
  warning: { icon: IconAlertTriangle, color: 'var(--warn)', autoCloseMs: 8000 },
  error: { icon: IconCircleX, color: 'var(--bad)', autoCloseMs: 10_000 },
} as const

function show(kind: keyof typeof kinds, title: string, text?: ReactNode, id?: string): void {
  const { icon: Icon, color, autoCloseMs } = kinds[kind]
  const options = {
    title,
    message: text ?? null,
    icon: <Icon size={18} stroke={1.8} />,
    autoClose: autoCloseMs,
    withCloseButton: true,
    closeButtonProps: { 'aria-label': i18next.t('common:close') },
    style: { '--toast-color': color },
    'data-kind': kind,
    role: kind === 'error' ? 'alert' : 'status',
  }
  if (id === undefined) notifications.show(options)
  else if (notifications.show({ ...options, id })) notifications.update({ ...options, id })
}

/** Toasts at the top right (R-LAY-07). `id` keeps one toast where the same thing may be said many times. */
export const toast = {
  success: (title: string, text?: ReactNode) => show('success', title, text),
  info: (title: string, text?: ReactNode) => show('info', title, text),
  warning: (title: string, text?: ReactNode) => show('warning', title, text),
  error: (title: string, text?: ReactNode, id?: string) => show('error', title, text, id),
  /** A failed call: what was tried, what happened, and the provider's own words where there are any. */
  failure: (error: unknown, title?: string) => {
    const failure = failureOf(error)
    if (failure.kind === 'cancelled') return
    // The query client has said so already, once for all calls that were under way.
    if (failure.kind === 'no_response') return
    const words = providerWords(error)
    const message = messageOf(error)
    const parts = [title === undefined ? undefined : message, words].filter((part) => part !== undefined)
    show('error', title ?? message, parts.length > 0 ? parts.join('\n') : undefined)
  },
}
