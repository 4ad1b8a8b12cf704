import { type RefObject, useLayoutEffect } from 'react'
import { createStore } from '#client/lib/store.ts'

const gap = 28

/**
 * Pixels at the end of the page that something floats over, apart from the bar of a selection. What scrolls leaves that much free at its end:
 * a table asks here, a page takes `--floating-space`.
 */
export const floatingSpace = createStore(0)

/** @param isShown whether `element` is in the page */
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
