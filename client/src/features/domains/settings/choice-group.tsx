import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import classes from './choice-group.module.css'

export interface Choice<V extends string> {
  value: V
  label: string
  help?: string
  picture?: ReactNode
}

/** The options, including a current value that is not among them. */
export const withPresent = <V extends string>(choices: readonly Choice<V>[], value: string | null, label: string): readonly Choice<V>[] =>
  value === null || choices.some((choice) => choice.value === value) ? choices : [...choices, { value: value as V, label }]

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/**
 * A radio group in which arrow keys only move the focus and Space or Enter selects, unlike native radio buttons: each choice here is a change at
 * the provider.
 */
export function ChoiceGroup<V extends string>({
  labelledBy,
  choices,
  value,
  look,
  disabled = false,
  onChoose,
}: {
  labelledBy: string
  choices: readonly Choice<V>[]
  /** Null: none is selected. */
  value: string | null
  look: 'cards' | 'segments'
  disabled?: boolean
  onChoose: (value: V) => void
}) {
  const group = useRef<HTMLDivElement>(null)
  const entry = Math.max(
    0,
    choices.findIndex((choice) => choice.value === value),
  )

  const move = (event: KeyboardEvent, index: number): void => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (index + step + choices.length) % choices.length
    group.current?.querySelectorAll<HTMLButtonElement>('[role=radio]')[next]?.focus()
  }

  return (
    <div ref={group} role="radiogroup" aria-labelledby={labelledBy} className={classes[look]} data-disabled={disabled || undefined}>
      {choices.map((choice, index) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          className={`primary text-start pointer ${classes['choice']}`}
          aria-checked={choice.value === value}
          tabIndex={index === entry ? 0 : -1}
          disabled={disabled}
          onKeyDown={(event) => move(event, index)}
          onClick={() => {
            if (choice.value !== value) onChoose(choice.value)
          }}
        >
          {choice.picture}
          <span className={classes['label']}>{choice.label}</span>
          {choice.help === undefined ? null : <span className="size-12 line-16 secondary">{choice.help}</span>}
        </button>
      ))}
    </div>
  )
}
