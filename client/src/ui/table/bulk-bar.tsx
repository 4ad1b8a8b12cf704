import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './bulk-bar.module.css'

/** Pass as `bottomSpace` of the list while the bar is shown, so that it does not cover the last row. */
export const bulkBarSpace = 112
const gap = 12

/** Bulk actions; slides in at the bottom while objects are selected. */
export function BulkBar({
  count,
  label,
  extra,
  note = null,
  children,
  onClear,
}: {
  count: number
  /** ‘12 domains selected’. */
  label: string
  /** E.g. the button that selects all matches. */
  extra?: ReactNode
  /** What the actions exclude. */
  note?: string | null
  children: ReactNode
  onClear: () => void
}) {
  const { t } = useTranslation()
  const bar = useRef<HTMLDivElement>(null)
  const shown = count > 0
  // Other floating elements at the bottom stay clear of the bar, whatever its height.
  useLayoutEffect(() => {
    const element = bar.current
    if (!shown || element === null) return
    const { style } = document.documentElement
    const watch = new ResizeObserver(() => style.setProperty('--bulk-bar', `${element.offsetHeight + gap}px`))
    watch.observe(element)
    return () => {
      watch.disconnect()
      style.removeProperty('--bulk-bar')
    }
  }, [shown])
  if (count === 0) return null
  return (
    <div className={`flex center ${classes['dock']}`}>
      <div ref={bar} className={`row gap-8 within on-raised ${classes['bar']}`} role="toolbar" aria-label={label}>
        <ActionIcon aria-label={t('clear_selection')} title={t('clear_selection')} onClick={onClear}>
          <IconX size={16} />
        </ActionIcon>
        <span className="size-13 medium nowrap" role="status">
          {label}
        </span>
        {extra}
        {note === null ? null : <span className="size-12 warn">{note}</span>}
        <span className={classes['line']} />
        <div className={`row gap-4 ${classes['actions']}`}>{children}</div>
      </div>
    </div>
  )
}
