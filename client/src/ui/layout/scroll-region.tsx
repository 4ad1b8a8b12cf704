import type { ReactNode, Ref, UIEvent } from 'react'

/** A scrollable region that is focusable, so that it can be scrolled by keyboard. */
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

/** The element that scrolls the page around this one; lists that scroll with the page use it. */
export const scrollParentOf = (element: Element | null): HTMLElement | null => element?.closest('main') ?? null

/** An estimate of what a list shows of its rows at first, so that they render with the page and not after its layout. */
export const firstRect = (): { width: number; height: number } => ({ width: 0, height: window.innerHeight / 2 })
