import { type KeyboardEvent, useState } from 'react'
import { useShortcuts } from '#client/lib/shortcuts.ts'

interface TableCursor {
  index: number | null
  setIndex: (index: number | null) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The row the keyboard is at: `j`/`k`, arrows, Home, End, PageUp, PageDown move it, `x` selects, Enter opens. */
export function useTableCursor(options: {
  count: number
  pageRows: number
  scrollTo: (index: number) => void
  onSelect: (index: number, range: boolean) => void
  onOpen: (index: number) => void
  /** Further keys for the row it is at. */
  keys?: Readonly<Record<string, (index: number) => void>>
}): TableCursor {
  const { count, pageRows } = options
  const [wanted, setIndex] = useState<number | null>(null)
  const index = wanted === null || count === 0 ? null : Math.min(wanted, count - 1)

  const moveTo = (next: number): void => {
    const bounded = Math.max(0, Math.min(count - 1, next))
    if (count === 0) return
    setIndex(bounded)
    options.scrollTo(bounded)
  }
  const moveBy = (by: number) => (): void => moveTo(index === null ? 0 : index + by)
  const select = (range: boolean): false | void => {
    if (index === null) return false
    options.onSelect(index, range)
  }

  useShortcuts({
    j: moveBy(1),
    k: moveBy(-1),
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

  const moves: Record<string, () => void> = {
    ArrowDown: moveBy(1),
    ArrowUp: moveBy(-1),
    PageDown: moveBy(pageRows),
    PageUp: moveBy(-pageRows),
    Home: () => moveTo(0),
    End: () => moveTo(count - 1),
  }

  return {
    index,
    setIndex,
    onKeyDown: (event) => {
      if (event.target !== event.currentTarget) return
      const move = event.key === ' ' ? () => void select(event.shiftKey) : moves[event.key]
      if (!move) return
      event.preventDefault()
      move()
    },
  }
}

const onControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, input, [role=menuitem]') !== null
