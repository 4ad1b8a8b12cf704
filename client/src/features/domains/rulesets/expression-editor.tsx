import { Textarea } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { completeExpression, type Completions, type Suggestion } from '#shared/features/domains/rulesets/expression/complete.ts'
import type { ExpressionError } from '#shared/features/domains/rulesets/expression/issues.ts'
import { type ParsedExpression, parseExpression } from '#shared/features/domains/rulesets/expression/parse.ts'
import { longestExpression, planTier, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { maskVariables, type KnownVariable } from '#shared/features/profiles/variables.ts'
import { countries } from '#client/lib/countries.ts'
import { formatNumber } from '#client/lib/format.ts'
import classes from './expression-editor.module.css'
import { SuggestionList } from './suggestion-list.tsx'
import { useIssueWords } from './use-issue-words.ts'

const noVariables: readonly KnownVariable[] = []

interface OpenList {
  readonly completions: Completions
  /** The index of the suggestion that Enter accepts; null if none was chosen, so that Enter begins a new line. */
  readonly active: number | null
}

/** A field for an expression of Cloudflare's rules language: checked as it is typed, with suggestions. */
export function ExpressionEditor({
  value,
  onChange,
  phase,
  plan,
  label,
  error,
  disabled = false,
  kind = 'condition',
  variables = noVariables,
}: {
  value: string
  onChange: (value: string) => void
  phase: RulePhase
  /** The plan's name at Cloudflare. */
  plan: string | null
  label: string
  /** Shown unless the expression has an error of its own. */
  error?: string | null | undefined
  disabled?: boolean
  /** `value` for an expression that computes a text, such as the target of a redirect. */
  kind?: 'condition' | 'value'
  /** Of a profile: they stand for values. */
  variables?: readonly KnownVariable[]
}) {
  const { t } = useTranslation('rulesets')
  const { errorWords, warningTexts } = useIssueWords()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [list, setList] = useState<OpenList | null>(null)
  const [isTyping, setTyping] = useState(false)
  const parsed = useMemo(
    () => parseExpression(maskVariables(value, variables), { phase, tier: planTier(plan), kind }),
    [value, phase, plan, kind, variables],
  )
  const found = ownError(value, parsed, isTyping)

  // Cloudflare points at the place with spaces and carets in the line below.
  const given = error?.includes('\n') === true ? <span className={`mono size-12 anywhere ${classes['theirs']}`}>{error}</span> : error

  const suggest = (element: HTMLTextAreaElement): void => {
    const { selectionStart, selectionEnd } = element
    const context = { phase, tier: planTier(plan), kind, countries: countries() }
    const completions = selectionStart === selectionEnd ? completeExpression(element.value, selectionStart, context) : null
    const isEmpty = completions === null || completions.suggestions.length === 0
    setList(isEmpty ? null : { completions, active: completions.typed === '' ? null : 0 })
  }

  const accept = ({ insert, caret = insert.length }: Suggestion): void => {
    const element = field.current
    if (element === null || list === null) return
    const { from, to } = list.completions
    element.setRangeText(insert, from, to, 'end')
    element.setSelectionRange(from + caret, from + caret)
    element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText', data: insert }))
  }

  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return
    if (list === null) {
      if (!(event.key === ' ' && event.ctrlKey) && !(event.key === 'ArrowDown' && event.altKey)) return
      event.preventDefault()
      suggest(event.currentTarget)
      return
    }
    const { suggestions } = list.completions
    const last = suggestions.length - 1
    const chosen = list.active === null ? undefined : suggestions[list.active]
    if (event.key === 'ArrowDown') setList({ ...list, active: list.active === null || list.active === last ? 0 : list.active + 1 })
    else if (event.key === 'ArrowUp') setList({ ...list, active: list.active === null || list.active === 0 ? last : list.active - 1 })
    else if (event.key === 'Escape') setList(null)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined && !event.shiftKey) accept(chosen)
    else {
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight' || event.key === 'Home' || event.key === 'End') setList(null)
      return
    }
    event.preventDefault()
  }

  return (
    <Textarea
      ref={field}
      name={kind === 'condition' ? 'expression' : undefined}
      label={label}
      value={value}
      disabled={disabled}
      rows={rowsOf(value)}
      spellCheck={false}
      autoCapitalize="none"
      autoCorrect="off"
      autoComplete="off"
      classNames={{ input: `mono ${classes['field']}` }}
      aria-autocomplete="list"
      aria-controls={list === null ? undefined : `${id}-list`}
      aria-activedescendant={list?.active == null ? undefined : `${id}-${list.active}`}
      error={found === null ? given : <Refusal text={value} error={found} words={errorWords(found)} />}
      description={
        <span className="column gap-2">
          <span>{t('expression.help')}</span>
          {warningTexts(parsed.warnings)
            .slice(0, mostWarnings)
            .map((words) => (
              <span key={words} className="flex gap-6 start warn">
                <IconAlertTriangle size={14} stroke={1.8} aria-hidden className="fixed" />
                {words}
              </span>
            ))}
          {value.length > longestExpression * 0.8 ? (
            <span className="numeric">
              {t('expression.characters', { characters: formatNumber(value.length), max: formatNumber(longestExpression) })}
            </span>
          ) : null}
        </span>
      }
      inputContainer={(input) => (
        <>
          {input}
          {list === null ? null : (
            <SuggestionList
              field={field}
              id={id}
              label={t('expression.suggestions')}
              suggestions={list.completions.suggestions}
              active={list.active}
              onAccept={accept}
            />
          )}
        </>
      )}
      onChange={(event) => {
        setTyping(true)
        onChange(event.currentTarget.value)
        suggest(event.currentTarget)
      }}
      onClick={(event) => (value === '' ? suggest(event.currentTarget) : setList(null))}
      onKeyDown={handleKey}
      onBlur={() => {
        setTyping(false)
        setList(null)
      }}
    />
  )
}

/** An expression that is still being typed has no error where it is not finished. */
function ownError(text: string, parsed: ParsedExpression, isTyping: boolean): ExpressionError | null {
  if (parsed.ok || text.trim() === '') return null
  const { error } = parsed
  const isOpen = error.code === 'unbalanced' && !')]}'.includes(String(error.params['symbol']))
  return isTyping && error.code !== 'too_long' && (isOpen || error.at + error.length >= text.length) ? null : error
}

const mostWarnings = 5

const shortest = 3
const longest = 12
/** Where the browser cannot size the field by its content. */
const rowsOf = (text: string): number => Math.min(longest, Math.max(shortest, text.split('\n').length))

const before = 24

/** The words of an error and, if it has a place, the part of the expression around it. */
function Refusal({ text, error: { at, length }, words }: { text: string; error: ExpressionError; words: string }) {
  const start = Math.max(0, at - before)
  const end = Math.min(text.length, at + Math.max(length, 1))
  const last = Math.min(text.length, end + before)
  return (
    <span className="column gap-2">
      <span>{words}</span>
      {length === 0 || length > before * 2 ? null : (
        <code className={`code anywhere ${classes['place']}`}>
          {start > 0 ? '…' : ''}
          {text.slice(start, at)}
          <mark>{text.slice(at, end)}</mark>
          {text.slice(end, last)}
          {last < text.length ? '…' : ''}
        </code>
      )}
    </span>
  )
}
