import { type MouseEventHandler, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** The recently focused elements, latest first, and a substitute for each when it is gone: the button of its menu, the table of its row. */
const trail: {
  readonly element: Element
  readonly instead: readonly (Element | null)[]
  readonly passing: boolean
  readonly inPage: boolean
}[] = []
const trailLength = 12
let untrodden = false
/** A later click on a non-focusable element. */
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

/** The current focus, and the previous one as long as the current one is in something that closes. */
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

/** A fallback to the page: the next focus returns to where the user was, not to it. */
function focusPage(): void {
  untrodden = true
  focus(document.querySelector('main'))
  untrodden = false
}

/** The open layers, lowest first, each with what had the focus before it. */
const layers: { before: Element[] }[] = []

/** Milliseconds in which a closing layer restores the focus. */
const givingBackMs = 250
/** The focus was in the page itself: layers restore theirs. */
function isFocusLost(): boolean {
  const [last] = trail
  return last !== undefined && last.inPage && layers.length === 0 && !last.element.isConnected && document.activeElement === document.body
}
let looking = false

// If the focused element was removed and the focus was not restored, it moves to the substitute or to the page, so that keyboard navigation
// continues there.
new MutationObserver(() => {
  if (looking || !isFocusLost()) return
  looking = true
  setTimeout(() => {
    looking = false
    if (isFocusLost() && !openers().some(focus)) focusPage()
  }, givingBackMs)
}).observe(document.body, { childList: true, subtree: true })

// A button is disabled while its action runs, and the browser removes its focus: it is restored with the button.
new MutationObserver((changes) => {
  if (elsewhere || layers.length > 0 || document.activeElement !== document.body) return
  openers().find((each) => changes.some(({ target }) => target === each) && focus(each))
}).observe(document.body, { attributeFilter: ['disabled'], subtree: true })

/** Restores the previous focus when the calling layer has closed and no other has opened above it since. */
function useReturnFocus(opened = true): void {
  const returned = useRef<(() => void) | null>(null)
  useLayoutEffect(() => {
    if (!opened) {
      // React restores the focus at the end of a commit: while the layer is still there for its animation, into the layer.
      returned.current?.()
      returned.current = null
      return undefined
    }
    const layer = { before: openers() }
    layers.push(layer)
    return () => {
      const above = layers[layers.indexOf(layer) + 1]
      layers.splice(layers.indexOf(layer), 1)
      if (above !== undefined) {
        // Both may close with one commit, this one first: what had the focus in it disappears with it.
        above.before = layer.before
        return
      }
      const giveBack = (): void => {
        if (!layer.before.some(focus)) focusPage()
      }
      giveBack()
      returned.current = giveBack
    }
  }, [opened])
}

/** An open list sets `aria-expanded` only with the render after its options have mounted; until then it has `data-expanded`. */
const openPopup = ':is([aria-haspopup][aria-expanded="true"], [aria-haspopup=listbox][data-expanded])'

/** A menu, list or popover inside it is open and handles Escape and outside clicks itself. */
const popupIn = (root: HTMLElement | null): boolean => root?.querySelector(openPopup) != null

// A popup receives Escape only while it has the focus. It loses the focus when the focused button in it is removed or disabled, and until it
// takes the focus shortly after its paint, the button that opened it still has it.
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
 * How every layer over the page closes: Escape closes the topmost one if nothing smaller is open inside it; an outside click closes it. A layer
 * that `asks` protects its input: only Escape and its buttons close it.
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
    // Before anything inside it handles the event and closes.
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
