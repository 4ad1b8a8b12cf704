import { type KeyboardEvent, useState } from 'react'
import { useShortcuts } from '#client/lib/shortcuts.ts'

interface TableCursor {
  index: number | null
  setIndex: (index: number | null) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The step of a key in a list with this number of columns; null if it does not move. */
export function stepOf(key: string, { columns, pageRows }: { columns: number; pageRows: number }): number | null {
  switch (key) {
    case 'ArrowDown':
      return columns
    case 'ArrowUp':
      return -columns
    case 'ArrowRight':
      return columns > 1 ? 1 : null
    case 'ArrowLeft':
      return columns > 1 ? -1 : null
    case 'PageDown':
      return pageRows * columns
    case 'PageUp':
      return -pageRows * columns
    case 'Home':
      return Number.NEGATIVE_INFINITY
    case 'End':
      return Number.POSITIVE_INFINITY
    default:
      return null
  }
}

/** The index after a step from a row, or from none; it may be outside the list. */
export const placeAfter = (index: number | null, by: number): number =>
  index === null ? (by === Number.POSITIVE_INFINITY ? by : 0) : index + by

/** The cursor row: `j`/`k`, arrows, Home, End, PageUp, PageDown move it, also from a control in a row; `x` selects, Enter opens. */
export function useTableCursor(options: {
  count: number
  pageRows: number
  /** For a grid of cards; defaults to one. */
  columns?: number
  scrollTo: (index: number) => void
  onSelect: (index: number, range: boolean) => void
  onOpen: (index: number) => void
  /** Further shortcuts for the cursor row. */
  keys?: Readonly<Record<string, (index: number) => void>>
}): TableCursor {
  const { count, pageRows, columns = 1 } = options
  const [wanted, setIndex] = useState<number | null>(null)
  const index = wanted === null || count === 0 ? null : Math.min(wanted, count - 1)

  const moveTo = (next: number): void => {
    const bounded = Math.max(0, Math.min(count - 1, next))
    if (count === 0) return
    setIndex(bounded)
    options.scrollTo(bounded)
  }
  const moveBy = (by: number) => (): void => moveTo(placeAfter(index, by))
  const select = (range: boolean): false | void => {
    if (index === null) return false
    options.onSelect(index, range)
  }

  /** From the row with the focused control, if there is one. */
  const moveFrom = (target: EventTarget | null, by: number): void => {
    const start = placeOf(target)
    if (start !== null) takeFocus(target)
    moveTo(placeAfter(start ?? index, by))
  }

  useShortcuts({
    j: (event) => moveFrom(event.target, 1),
    k: (event) => moveFrom(event.target, -1),
    x: (event) => select(event.shiftKey),
    Enter: (event) => {
      if (index === null || onControl(event.target)) return false
      options.onOpen(index)
    },
    ...Object.fromEntries(
      Object.entries(options.keys ?? {}).map(([key, act]) => [
        key,
        (event: Event) => {
          if (index === null || onControl(event.target)) return false
          act(index)
        },
      ]),
    ),
  })

  return {
    index,
    setIndex,
    onKeyDown: (event) => {
      const step = stepOf(event.key, { columns, pageRows })
      if (event.target !== event.currentTarget) {
        const start = usesArrows(event) ? null : placeOf(event.target)
        if (start === null || step === null) return
        takeFocus(event.target)
        moveTo(placeAfter(start, step))
      } else if (event.key === ' ') void select(event.shiftKey)
      else if (step !== null) moveBy(step)()
      else return
      event.preventDefault()
    },
  }
}

/** The index of the row or card with this control; null if it is outside of them. */
function placeOf(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest(indexed) : null
  const [, index] = /^(?:row|card)-(\d+)$/.exec(row?.id ?? '') ?? []
  return index === undefined ? null : Number(index)
}
const indexed = '[role=row]:not([data-special]), [role=listitem]'

/** The list takes the focus before the row can scroll out of view and be removed. */
function takeFocus(target: EventTarget | null): void {
  const list = target instanceof Element ? target.closest(indexed)?.closest('[role=grid], [role=group]') : null
  if (list instanceof HTMLElement) list.focus({ preventScroll: true })
}

/** Whether a focused control has a use for such keys itself. */
const usesArrows = ({ target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || shiftKey || !(target instanceof Element) || !target.matches(plainControl)
const plainControl = 'a[href], button:not([aria-haspopup], [role]), input[type=checkbox]:not([role])'

const onControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, input, [role=menuitem]') !== null
