import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Suggestion } from '#shared/features/domains/rulesets/expression/complete.ts'
import { typeWord } from '#shared/features/domains/rulesets/expression/types.ts'
import classes from './suggestion-list.module.css'

/** The suggestions below an expression. The focus stays in the field. */
export function SuggestionList({
  id,
  label,
  suggestions,
  active,
  onAccept,
}: {
  /** Of the field: the list and its options are named after it. */
  id: string
  label: string
  suggestions: readonly Suggestion[]
  active: number | null
  onAccept: (suggestion: Suggestion) => void
}) {
  const { t } = useTranslation('rulesets')
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, suggestions])
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={`scroll-y on-raised ${classes['list']}`}>
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
