import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Suggestion } from '#shared/features/domains/rulesets/expression/complete.ts'
import { typeWord } from '#shared/features/domains/rulesets/expression/types.ts'
import classes from './suggestion-list.module.css'

/**
 * The suggestions below an expression, or above it where there is more room. They are in the top layer, so that no dialog cuts them off. The
 * focus stays in the field.
 */
export function SuggestionList({
  field,
  id,
  label,
  suggestions,
  active,
  onAccept,
}: {
  field: RefObject<HTMLElement | null>
  /** Of the field: the list and its options are named after it. */
  id: string
  label: string
  suggestions: readonly Suggestion[]
  active: number | null
  onAccept: (suggestion: Suggestion) => void
}) {
  const { t } = useTranslation('rulesets')
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [element, anchor] = [list.current, field.current]
    if (element === null || anchor === null) return undefined
    // Without it the list is at the same place in the page.
    if ('showPopover' in element) element.showPopover()
    const place = (): void => placeList(element, anchor.getBoundingClientRect())
    place()
    const moved = new AbortController()
    const { signal } = moved
    const sized = new ResizeObserver(place)
    sized.observe(anchor)
    globalThis.addEventListener('scroll', place, { capture: true, passive: true, signal })
    globalThis.visualViewport?.addEventListener('resize', place, { signal })
    return () => {
      moved.abort()
      sized.disconnect()
    }
  }, [field])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, suggestions])
  return (
    <div
      ref={list}
      popover="manual"
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      className={`scroll-y on-raised ${classes['list']}`}
    >
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.label}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          className="flex between gap-12 pointer"
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
        >
          <span className="mono size-12 anywhere">{suggestion.label}</span>
          <span className="size-12 muted nowrap">
            {suggestion.detail ?? (suggestion.type === undefined ? '' : t(`expression.types.${typeWord(suggestion.type)}`))}
          </span>
        </div>
      ))}
    </div>
  )
}

const gapPx = 4
const tallestPx = 220

function placeList({ style }: HTMLElement, { left, top, bottom, width }: DOMRect): void {
  // The keyboard of a phone covers a part of the page.
  const { height, offsetTop } = globalThis.visualViewport ?? { height: globalThis.innerHeight, offsetTop: 0 }
  const roomBelow = offsetTop + height - bottom - gapPx * 2
  const roomAbove = top - offsetTop - gapPx * 2
  const isBelow = roomBelow >= tallestPx || roomBelow >= roomAbove
  style.left = `${left}px`
  style.width = `${width}px`
  style.top = isBelow ? `${bottom + gapPx}px` : 'auto'
  style.bottom = isBelow ? 'auto' : `${globalThis.innerHeight - top + gapPx}px`
  style.maxHeight = `${Math.min(tallestPx, Math.max(roomBelow, roomAbove))}px`
}
