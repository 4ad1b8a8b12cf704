import { type RefObject, useLayoutEffect, useState } from 'react'

/** How far below the top of what scrolls a list begins, in pixels; follows whatever stands above it. Zero without a scroller. */
export function useListOffset(list: RefObject<HTMLElement | null>, scroller: HTMLElement | null): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const content = scroller?.firstElementChild
    if (!scroller || !content) return
    const measure = (): void => {
      if (!list.current) return
      setOffset(Math.round(list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(content)
    return () => watch.disconnect()
  }, [list, scroller])
  return scroller ? offset : 0
}
