import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './warning-box.module.css'

/** A warning and what it means. `live`: it appears while somebody chooses, and is read out. */
export function WarningBox({
  title,
  live = false,
  actions,
  children,
}: {
  title: string
  live?: boolean
  /** Buttons for what can be done about it. */
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={`flex gap-12 size-13 secondary radius-8 on-bad p-10-12 wrap ${classes['box']}`} {...(live && { role: 'status' })}>
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
      <p>
        <strong>{title}</strong>
        {children}
      </p>
      {actions === undefined ? null : <div className="flex wrap gap-6 push">{actions}</div>}
    </div>
  )
}
