import type { ReactNode } from 'react'
import classes from './kbd.module.css'

/** A key as it is written on this keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={classes['kbd']}>{children}</kbd>
}

export const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
