import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * The offset of a list below the top of its scroll container, in pixels; updated when content above it changes. Zero without a scroll container.
 */
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
