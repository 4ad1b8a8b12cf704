import { type RefObject, useLayoutEffect } from 'react'
import { createStore } from '#client/lib/store.ts'

const gap = 28

/**
 * Pixels at the end of the page covered by something floating, except for the bulk bar. Scrolling content reserves that space at its end: a table
 * uses this hook, a page `--floating-space`.
 */
export const floatingSpace = createStore(0)

/** @param isShown whether `element` is rendered */
export function useFloatingSpace(element: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const floating = element.current
    if (!isShown || floating === null) return undefined
    const { style } = document.documentElement
    const set = (height: number): void => {
      floatingSpace.set(height)
      style.setProperty('--floating-space', `${height}px`)
    }
    const observer = new ResizeObserver(() => set(floating.offsetHeight + gap))
    observer.observe(floating)
    return () => {
      observer.disconnect()
      set(0)
    }
  }, [element, isShown])
}
