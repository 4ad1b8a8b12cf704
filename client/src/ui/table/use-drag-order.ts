import { useCallback, useEffect, useLayoutEffect, useRef, type PointerEvent as ReactPointerEvent, type RefObject } from 'react'
import classes from './drag-order.module.css'

/** How far from the edge of the scrolled area it scrolls, and how far per frame. */
const edgePx = 40
const stepPx = 10
/** How long a dropped item waits for the new order. */
const restMs = 500

/**
 * A list whose items change places by dragging their handles with a mouse or pen, and with a finger on a screen of a device that has a
 * mouse too. The keyboard and phones need another way, such as a menu.
 */
export interface DragOrder {
  listRef: RefObject<HTMLOListElement | null>
  /** For the handle of an item of the list, by its index. */
  onHandleDown: (event: ReactPointerEvent, index: number) => void
}

/** For the list. */
export const dragListClass = classes['list'] ?? ''
/**
 * For the handle of an item. A device where nothing can drag it hides it with `data-grip`; with `data-number`, a number (`span`) gives way
 * to a grip (`svg`) while the mouse is over the item (`li`).
 */
export const dragHandleClass = classes['handle'] ?? ''

interface Item {
  readonly element: HTMLElement
  readonly top: number
  readonly height: number
}

/** What scrolls: the list, the nearest ancestor, or the page. */
function scrollerOf(list: HTMLElement): HTMLElement {
  for (let each: HTMLElement | null = list; each !== null; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY)) return each
  return document.documentElement
}

/** The top of the list with what is scrolled out of it. */
const originOf = (list: HTMLElement): number => list.getBoundingClientRect().top - list.scrollTop

const clear = (items: readonly Item[], list: HTMLElement): void => {
  list.removeAttribute('data-dragging')
  for (const { element } of items) {
    element.style.transform = ''
    element.removeAttribute('data-dragged')
  }
}

/**
 * @param order the keys of the items; if they change during a drag, it is cancelled
 * @param onMove called with the index before and after; the list shows the new order in its next render
 */
export function useDragOrder(order: string, onMove: (from: number, to: number) => void): DragOrder {
  const listRef = useRef<HTMLOListElement>(null)
  /** Ends what is dragged, or what was dropped and has not been rendered in its new place yet. */
  const finish = useRef<(() => void) | null>(null)
  const move = useRef(onMove)
  useEffect(() => {
    move.current = onMove
  })
  // Before the browser paints, so that nothing jumps.
  useLayoutEffect(() => () => finish.current?.(), [order])

  const onHandleDown = useCallback((event: ReactPointerEvent, from: number): void => {
    const list = listRef.current
    if (list === null || event.button !== 0) return
    // A finger scrolls where the styles leave it to the browser.
    if (event.pointerType === 'touch' && getComputedStyle(event.currentTarget).touchAction !== 'none') return
    event.preventDefault()
    finish.current?.()
    const { pointerId } = event
    const origin = originOf(list)
    const items = [...list.children].map((child): Item => {
      const { top, height } = child.getBoundingClientRect()
      return { element: child as HTMLElement, top: top - origin, height }
    })
    const dragged = items[from]
    if (dragged === undefined) return
    const scroller = scrollerOf(list)
    /** From the top of the item to the pointer. */
    const grip = event.clientY - origin - dragged.top
    let [pointerY, to, frame] = [event.clientY, from, 0]

    const place = (): void => {
      const last = items.at(-1)
      const lowest = last === undefined ? 0 : last.top + last.height - dragged.height
      const top = Math.min(Math.max(pointerY - originOf(list) - grip, 0), lowest)
      const bottom = top + dragged.height
      // It changes places with those whose middle its edge has passed.
      const above = items.filter((each, index) => index < from && top < each.top + each.height / 2).length
      const below = items.filter((each, index) => index > from && bottom > each.top + each.height / 2).length
      to = from - above + below
      for (const [index, { element }] of items.entries()) {
        const isPassed = index > from ? index <= to : index >= to
        const shift = index === from ? top - dragged.top : isPassed ? Math.sign(from - index) * dragged.height : 0
        element.style.transform = shift === 0 ? '' : `translateY(${shift}px)`
      }
    }
    const scroll = (): void => {
      const { top, bottom } =
        scroller === document.documentElement ? { top: 0, bottom: window.innerHeight } : scroller.getBoundingClientRect()
      const by = pointerY < top + edgePx ? -stepPx : pointerY > bottom - edgePx ? stepPx : 0
      const before = scroller.scrollTop
      if (by !== 0) scroller.scrollTop += by
      if (scroller.scrollTop !== before) place()
      frame = requestAnimationFrame(scroll)
    }
    const controller = new AbortController()
    const end = (): void => {
      controller.abort()
      cancelAnimationFrame(frame)
    }
    const cancel = (): void => {
      end()
      clear(items, list)
      finish.current = null
    }
    const drop = (): void => {
      end()
      if (to === from) return cancel()
      move.current(from, to)
      // If the move was rejected, the order stays.
      setTimeout(() => finish.current === cancel && cancel(), restMs)
    }
    list.setAttribute('data-dragging', '')
    dragged.element.setAttribute('data-dragged', '')
    finish.current = cancel
    frame = requestAnimationFrame(scroll)
    const options = { signal: controller.signal }
    window.addEventListener(
      'pointermove',
      (moved) => {
        if (moved.pointerId !== pointerId) return
        pointerY = moved.clientY
        place()
      },
      options,
    )
    window.addEventListener('pointerup', (raised) => raised.pointerId === pointerId && drop(), options)
    window.addEventListener('pointercancel', (lost) => lost.pointerId === pointerId && cancel(), options)
    window.addEventListener('blur', cancel, options)
    window.addEventListener(
      'keydown',
      (pressed) => {
        if (pressed.key !== 'Escape') return
        // A dialog stays open.
        pressed.stopPropagation()
        pressed.preventDefault()
        cancel()
      },
      { ...options, capture: true },
    )
  }, [])
  return { listRef, onHandleDown }
}
