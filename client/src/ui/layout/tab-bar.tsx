import { useEffect, useRef, type ReactNode } from 'react'
import tabs from './tabs.module.css'

/** Links to the pages of one subject. On a phone only some may fit, always including the current one. */
export function TabBar({ label, className = '', children }: { label: string; className?: string | undefined; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current === null || current == null) return
    bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft + current.offsetWidth - bar.current.clientWidth
  })
  return (
    <nav ref={bar} className={`${tabs['tabs']} ${className}`} aria-label={label}>
      {children}
    </nav>
  )
}
