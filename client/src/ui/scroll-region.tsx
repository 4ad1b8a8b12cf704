import type { ReactNode, Ref, UIEvent } from 'react'

/** A part that scrolls by itself; the keyboard reaches it and scrolls it too. */
export function ScrollRegion({
  label,
  className,
  busy = false,
  onScroll,
  ref,
  children,
}: {
  label: string
  className: string | undefined
  busy?: boolean
  onScroll?: (event: UIEvent<HTMLDivElement>) => void
  ref?: Ref<HTMLDivElement>
  children: ReactNode
}) {
  return (
    <div ref={ref} className={className} role="region" aria-label={label} aria-busy={busy || undefined} tabIndex={0} onScroll={onScroll}>
      {children}
    </div>
  )
}
