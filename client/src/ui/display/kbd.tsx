import type { ReactNode } from 'react'
import classes from './kbd.module.css'

/** A key in the notation of this platform. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={classes['kbd']}>{children}</kbd>
}

export const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
