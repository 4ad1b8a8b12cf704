import { type RefObject, useLayoutEffect } from 'react'

const gap = 12

/**
 * Publishes the height of something that floats over the page as a CSS variable of the document, so that what would lie under it keeps clear.
 * @param isShown whether `element` is in the page
 */
export function useFloatingHeight(element: RefObject<HTMLElement | null>, isShown: boolean, variable: `--${string}`): void {
  useLayoutEffect(() => {
    const { current } = element
    if (!isShown || current === null) return
    const { style } = document.documentElement
    const watch = new ResizeObserver(() => style.setProperty(variable, `${current.offsetHeight + gap}px`))
    watch.observe(current)
    return () => {
      watch.disconnect()
      style.removeProperty(variable)
    }
  }, [element, isShown, variable])
}
