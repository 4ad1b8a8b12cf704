import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './warning-box.module.css'

/** A warning and its meaning. `live`: it appears during input, so it is announced. */
export function WarningBox({
  title,
  live = false,
  tone = 'bad',
  actions,
  children,
}: {
  title: string
  live?: boolean
  /** `warn`: it only limits what can be shown. */
  tone?: 'bad' | 'warn'
  /** Buttons to act on it. */
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div
      className={`flex gap-12 size-13 secondary radius-8 ${tone === 'warn' ? 'on-warn' : 'on-bad'} p-10-12 wrap ${classes['box']}`}
      data-tone={tone}
      {...(live && { role: 'status' })}
    >
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
      <p>
        <strong>{title}</strong>
        {children}
      </p>
      {actions === undefined ? null : <div className="flex wrap gap-6 push">{actions}</div>}
    </div>
  )
}
