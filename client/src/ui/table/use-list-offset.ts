import { type RefObject, useLayoutEffect, useState } from 'react'
import { scrollParentOf } from '../layout/scroll-region.tsx'

/**
 * The offset of a list below the top of its scroll container, in pixels; updated when content above it changes. Zero without a scroll container.
 * @param isInside whether the list scrolls with it
 */
export function useListOffset(list: RefObject<HTMLElement | null>, isInside = true): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const scroller = scrollParentOf(list.current)
    const content = scroller?.firstElementChild
    if (!isInside || !scroller || !content) return
    const measure = (): void => {
      if (!list.current) return
      setOffset(Math.round(list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(content)
    return () => watch.disconnect()
  }, [list, isInside])
  return isInside ? offset : 0
}
