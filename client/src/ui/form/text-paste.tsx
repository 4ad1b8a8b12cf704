import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import classes from './text-paste.module.css'

export interface PastedLine {
  /** From 1. */
  number: number
  tone: 'good' | 'warn' | 'bad'
  text: string
}

/** A large field for pasted lists; line numbers mark lines with an error. */
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
  /** Messages of single lines, by number. */
  faults: readonly PastedLine[]
  /** The summary, e.g. ‘12 accounts, 2 faulty lines’. */
  summary?: ReactNode
  rows?: number
}) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [scrollTopPx, setScrollTop] = useState(0)
  const lines = useMemo(() => value.split('\n').length, [value])
  const tones = useMemo(() => new Map(faults.map((fault) => [fault.number, fault.tone])), [faults])
  const heightPx = rows * lineHeightPx
  const view = linesInView({ scrollTopPx, heightPx, lineHeightPx }, lines)

  useEffect(() => {
    const element = field.current
    element?.addEventListener('beforeinput', takeWhole)
    return () => element?.removeEventListener('beforeinput', takeWhole)
  }, [])

  const goTo = (number: number): void => {
    const start = value.split('\n', number - 1).reduce((sum, line) => sum + line.length + 1, 0)
    const end = value.indexOf('\n', start)
    field.current?.focus()
    field.current?.setSelectionRange(start, end < 0 ? value.length : end)
    if (field.current) field.current.scrollTop = Math.max(0, (number - 4) * lineHeightPx)
  }

  return (
    <div className="column gap-6 shrink">
      <label htmlFor={id} className="size-13 medium secondary">
        {label}
      </label>
      <div className={`flex clip radius ${classes['box']}`} data-error={error !== undefined || undefined}>
        <div
          className={`fixed clip muted on-sunken ${classes['gutter']}`}
          style={{ height: heightPx + 16, minWidth: `calc(${String(lines).length}ch + 20px)` }}
          aria-hidden
        >
          <div style={{ transform: `translateY(${view.shiftPx}px)` }}>
            {view.numbers.map((number) => (
              <span key={number} data-tone={tones.get(number)}>
                {number}
              </span>
            ))}
          </div>
        </div>
        <textarea
          ref={field}
          id={id}
          className={`grow shrink primary p-8-10 no-border no-background ${classes['field']}`}
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
          onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        />
      </div>
      <div id={`${id}-help`} className={`grid size-12 line-18 ${classes['below']}`}>
        {/* The expected format stays visible while typing. */}
        {help === undefined ? null : <span className="muted">{help}</span>}
        {error === undefined ? (
          <span className="muted">{value.trim() === '' ? null : summary}</span>
        ) : (
          <span className="bad" role="alert">
            {error}
          </span>
        )}
      </div>
      {faults.length > 0 ? <FaultList faults={faults} onChoose={goTo} /> : null}
    </div>
  )
}

/**
 * Handles lines typed by a program (a clipboard manager, a test): Chromium enters them one by one with a layout and an event for each, which
 * takes half a minute for thousands. As a paste it is one step that can be undone.
 */
function takeWhole(event: InputEvent): void {
  const { data, inputType, currentTarget: element } = event
  if (inputType !== 'insertText' || data === null || !data.includes('\n') || !(element instanceof HTMLTextAreaElement)) return
  event.preventDefault()
  element.setRangeText(data, element.selectionStart, element.selectionEnd, 'end')
  element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data }))
}

/** All line numbers, even thousands; only the visible ones are rendered. */
function FaultList({ faults, onChoose }: { faults: readonly PastedLine[]; onChoose: (number: number) => void }) {
  const list = useRef<HTMLUListElement>(null)
  const virtual = useVirtualizer({
    count: faults.length,
    getScrollElement: () => list.current,
    estimateSize: () => faultHeightPx,
    initialRect: { width: 0, height: 132 },
    overscan: 6,
  })
  return (
    <ul ref={list} className={`framed relative scroll ${classes['faults']}`} style={{ height: Math.min(132, virtual.getTotalSize() + 2) }}>
      <li aria-hidden className={classes['whole']} style={{ height: virtual.getTotalSize() }} />
      {virtual.getVirtualItems().map(({ index, start }) => {
        const fault = faults[index]
        if (fault === undefined) return null
        return (
          <li
            key={index}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={faults.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            <button type="button" data-tone={fault.tone} onClick={() => onChoose(fault.number)}>
              <span className={`fixed bad code ${classes['number']}`}>{fault.number}</span>
              <span>{fault.text}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

const faultHeightPx = 26
const lineHeightPx = 20

/** The line numbers beside the visible part of a field, from 1, and the offset of the first one above its top. */
export function linesInView(
  { scrollTopPx, heightPx, lineHeightPx }: { scrollTopPx: number; heightPx: number; lineHeightPx: number },
  lines: number,
): { numbers: readonly number[]; shiftPx: number } {
  const last = Math.min(lines, Math.ceil((scrollTopPx + heightPx) / lineHeightPx) + 1)
  const first = Math.max(0, Math.min(Math.floor(scrollTopPx / lineHeightPx) - 1, last - 1))
  return { numbers: Array.from({ length: last - first }, (_, at) => first + at + 1), shiftPx: first * lineHeightPx - scrollTopPx }
}
