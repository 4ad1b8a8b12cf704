import type { MouseEvent } from 'react'
import classes from './select-box.module.css'

/** The checkbox of a row or a card. A plain element: a list renders dozens of them on every keystroke in its search. */
export function SelectBox({
  label,
  checked,
  onClick,
  tabIndex,
}: {
  label: string
  checked: boolean
  onClick: (event: MouseEvent) => void
  tabIndex?: number
}) {
  return (
    <input
      type="checkbox"
      className={`grid fixed pointer ${classes['box']}`}
      aria-label={label}
      checked={checked}
      tabIndex={tabIndex}
      readOnly
      onClick={onClick}
    />
  )
}
