import { type MouseEventHandler, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** What had the focus lately, the latest first, and what stands for it when it is gone: the button of its menu, the table of its row. */
const trail: {
  readonly element: Element
  readonly instead: readonly (Element | null)[]
  readonly passing: boolean
  readonly inPage: boolean
}[] = []
const trailLength = 12
let untrodden = false
/** Somebody pressed on something else since, which took no focus. */
let elsewhere = false

document.addEventListener(
  'pointerdown',
  ({ target }) => (elsewhere = target instanceof Node && trail[0]?.element.contains(target) !== true),
  true,
)
document.addEventListener('focusin', ({ target }) => {
  elsewhere = false
  if (untrodden || !(target instanceof Element)) return
  const layer = target.closest('[role=menu], [role=listbox], [role=dialog]')
  const button = document.getElementById(layer?.getAttribute('aria-labelledby') ?? '')
  trail.unshift({
    element: target,
    instead: [button, target.closest('[role=grid]')],
    passing: layer !== null,
    // A menu of the page is part of it.
    inPage: layer === null ? target.closest('main') !== null : layer.matches('[role=menu]') && trail[0]?.inPage === true,
  })
  trail.length = Math.min(trail.length, trailLength)
})

/** Where the focus is now, and where it came from as long as that was something that closes. */
function openers(): Element[] {
  const last = trail.findIndex(({ passing }) => !passing)
  const since = last === -1 ? trail : trail.slice(0, last + 1)
  return since.flatMap(({ element, instead }) => [element, ...instead]).filter((each) => each !== null)
}

function focus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement) || !element.isConnected) return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/** The page, when there is nothing better: what is focused next goes back to where somebody was, not to it. */
function focusPage(): void {
  untrodden = true
  focus(document.querySelector('main'))
  untrodden = false
}

const layers: symbol[] = []

/** Milliseconds in which whatever closes gives the focus back to where it was. */
const givingBackMs = 250
/** It was in the page itself: what lies over the page sees to its own. */
function isFocusLost(): boolean {
  const [last] = trail
  return last !== undefined && last.inPage && layers.length === 0 && !last.element.isConnected && document.activeElement === document.body
}
let looking = false

// What had the focus is gone from the page and nobody has given it back: it goes nearby, or to the page, so that the keyboard goes on from there.
new MutationObserver(() => {
  if (looking || !isFocusLost()) return
  looking = true
  setTimeout(() => {
    looking = false
    if (isFocusLost() && !openers().some(focus)) focusPage()
  }, givingBackMs)
}).observe(document.body, { childList: true, subtree: true })

// A button is off while what it began is under way, and the browser takes the focus from it then: it comes back with the button.
new MutationObserver((changes) => {
  if (elsewhere || layers.length > 0 || document.activeElement !== document.body) return
  openers().find((each) => changes.some(({ target }) => target === each) && focus(each))
}).observe(document.body, { attributeFilter: ['disabled'], subtree: true })

/** Gives the focus back to where it was, once the layer that calls it is gone and nothing has opened above it since. */
function useReturnFocus(opened = true): void {
  useLayoutEffect(() => {
    if (!opened) return undefined
    const layer = Symbol('layer')
    const before = openers()
    layers.push(layer)
    return () => {
      const top = layers.at(-1) === layer
      layers.splice(layers.indexOf(layer), 1)
      if (!top) return
      if (before.some(focus)) return
      focusPage()
    }
  }, [opened])
}

const openPopup = '[aria-haspopup][aria-expanded="true"]'

/** A menu, a list or a small window within it is open: Escape and a click elsewhere are theirs. */
const popupIn = (root: HTMLElement | null): boolean => root?.querySelector(openPopup) != null

// A popup hears Escape only while it has the focus. That is lost when the button in it that had it is removed or disabled, and until the popup
// has taken it over, a moment after it is painted, the button that opened it still has it.
window.addEventListener('keydown', (event) => {
  const focused = document.activeElement
  if (event.key !== 'Escape' || !(focused === document.body || focused?.matches(`${openPopup}:not([aria-haspopup=listbox])`))) return
  const opener = focused === document.body ? [...document.querySelectorAll(openPopup)].at(-1) : focused
  const popup = opener?.matches('[aria-haspopup=listbox]') ? opener : document.getElementById(opener?.getAttribute('aria-controls') ?? '')
  if (event.target !== popup) popup?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
})

interface LayerProps {
  ref: RefObject<HTMLDivElement | null>
  closeOnEscape: false
  closeOnClickOutside: false
  overlayProps: { onClick: () => void }
  onInput: () => void
  onClick: MouseEventHandler
}

const open: symbol[] = []

/**
 * How everything that lies over the page closes: Escape closes the topmost of them, and only when nothing smaller is open in it;
 * a click beside it closes it. One that `asks` keeps what was typed or chosen in it: then only Escape and its buttons close it.
 */
export function useLayer({
  opened,
  closeOnEscape = true,
  closeOnClickOutside = true,
  asks = false,
  onClose,
}: {
  opened: boolean
  asks?: boolean
  closeOnEscape?: boolean | undefined
  closeOnClickOutside?: boolean | undefined
  onClose: () => void
}): LayerProps {
  useReturnFocus(opened)
  const root = useRef<HTMLDivElement>(null)
  const touched = useRef(false)
  const pressedOverPopup = useRef(false)
  const latest = useRef({ closeOnEscape, onClose })
  useLayoutEffect(() => {
    latest.current = { closeOnEscape, onClose }
  })

  useEffect(() => {
    if (!opened) return undefined
    const me = Symbol('layer')
    open.push(me)
    let mine = false
    // Before anything in it hears the key or the press, and closes.
    const onKeyCapture = (event: KeyboardEvent): void => {
      mine = event.key === 'Escape' && !event.isComposing && open.at(-1) === me && !popupIn(root.current)
    }
    const onPointerCapture = (): void => {
      pressedOverPopup.current = popupIn(root.current)
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!mine || event.defaultPrevented || !latest.current.closeOnEscape) return
      event.preventDefault()
      latest.current.onClose()
    }
    window.addEventListener('keydown', onKeyCapture, true)
    window.addEventListener('pointerdown', onPointerCapture, true)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      open.splice(open.indexOf(me), 1)
      window.removeEventListener('keydown', onKeyCapture, true)
      window.removeEventListener('pointerdown', onPointerCapture, true)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [opened])

  return {
    ref: root,
    closeOnEscape: false,
    closeOnClickOutside: false,
    overlayProps: {
      onClick: () => {
        if (closeOnClickOutside && !(asks && touched.current) && !pressedOverPopup.current) onClose()
      },
    },
    onInput: () => {
      touched.current = true
    },
    onClick: ({ target }) => {
      if (target instanceof Element && target.closest('[role=option]')) touched.current = true
    },
  }
}
