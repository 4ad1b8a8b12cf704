import { type ReactNode, useId, useRef } from 'react'
import classes from './text-paste.module.css'

export interface PastedLine {
  /** From 1. */
  number: number
  tone: 'good' | 'warn' | 'bad'
  text: string
}

/** A large field for pasted lists; line numbers at its side, marked where a line has a fault. */
export function TextPaste({
  label,
  help,
  placeholder,
  value,
  onChange,
  error,
  faults,
  summary,
  rows = 10,
}: {
  label: string
  help?: ReactNode
  placeholder?: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** What is worth saying of single lines, by number. */
  faults: readonly PastedLine[]
  /** What was understood, e.g. ‘12 accounts, 2 faulty lines’. */
  summary?: ReactNode
  rows?: number
}) {
  const id = useId()
  const gutter = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const lines = value === '' ? 1 : value.split('\n').length
  const tones = new Map(faults.map((fault) => [fault.number, fault.tone]))
  const shownLines = Math.min(lines, 2000)

  const goTo = (number: number): void => {
    const start = value.split('\n', number - 1).reduce((sum, line) => sum + line.length + 1, 0)
    const end = value.indexOf('\n', start)
    field.current?.focus()
    field.current?.setSelectionRange(start, end < 0 ? value.length : end)
    if (field.current) field.current.scrollTop = Math.max(0, (number - 4) * lineHeightPx)
  }

  return (
    <div className={classes['root']}>
      <label htmlFor={id} className={classes['label']}>
        {label}
      </label>
      <div className={classes['box']} data-error={error !== undefined || undefined}>
        <div ref={gutter} className={classes['gutter']} style={{ height: rows * lineHeightPx + 16 }} aria-hidden>
          {Array.from({ length: shownLines }, (_, at) => (
            <span key={at} data-tone={tones.get(at + 1)}>
              {at + 1}
            </span>
          ))}
        </div>
        <textarea
          ref={field}
          id={id}
          className={classes['field']}
          value={value}
          rows={rows}
          wrap="off"
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          placeholder={placeholder}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop
          }}
        />
      </div>
      <div id={`${id}-help`} className={classes['below']}>
        {error === undefined ? (
          <span className={classes['help']}>{value.trim() === '' ? help : summary}</span>
        ) : (
          <span className={classes['error']} role="alert">
            {error}
          </span>
        )}
      </div>
      {faults.length > 0 ? (
        <ul className={classes['faults']}>
          {faults.slice(0, 200).map((fault) => (
            <li key={`${fault.number} ${fault.text}`}>
              <button type="button" data-tone={fault.tone} onClick={() => goTo(fault.number)}>
                <span className={classes['number']}>{fault.number}</span>
                <span>{fault.text}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

const lineHeightPx = 20
