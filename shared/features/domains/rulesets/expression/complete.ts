import { type ExpressionField, expressionFields, findField } from './fields.ts'
import { type ExpressionFunction, expressionFunctions, findFunction } from './functions.ts'
import { type ComparisonOperator, findComparison, findConnective, isNegation, type LogicalOperator, operatorsOf } from './operators.ts'
import { type ExpressionContext, lacksPlan } from './context.ts'
import { type Token, tokenize, wordCharacter } from './tokenize.ts'
import { elementType, type ExpressionType, isArray, isMap } from './types.ts'
import { countryFields, fieldValues } from './values.ts'

export interface Suggestion {
  readonly kind: 'field' | 'function' | 'operator' | 'connective' | 'value'
  readonly label: string
  /** What the label means, e.g. the name of a country. */
  readonly detail?: string
  readonly type?: ExpressionType
  readonly insert: string
  /** Where the cursor is placed in `insert`; at its end by default. */
  readonly caret?: number
}

export interface Completions {
  /** The part of the expression that a suggestion replaces. */
  readonly from: number
  readonly to: number
  /** What is typed of it so far. */
  readonly typed: string
  readonly suggestions: readonly Suggestion[]
}

export interface CompletionContext extends ExpressionContext {
  /** In the user's language. */
  readonly countries?: readonly { readonly code: string; readonly name: string }[]
}

/** What stands to the left of an operator. */
interface Left {
  readonly field: string | null
  readonly type: ExpressionType
}
const nothing: Left = { field: null, type: 'Unknown' }

/** What is expected at a place of an expression. */
interface Place {
  readonly expected: 'operand' | 'operator' | 'wildcard' | 'comparand' | 'connective' | 'nothing'
  readonly left: Left
  readonly operator: ComparisonOperator | null
  readonly isInSet: boolean
  /** Inside of `any()` or `all()`, where `[*]` is used. */
  readonly isInAny: boolean
}

const stringCharacter = /[\p{L}\w/-]/u

/** What may be written at the cursor: fields and functions, operators that fit the field, its values, connectives. */
export function completeExpression(text: string, cursor: number, context: CompletionContext): Completions {
  const tokens = tokenize(text.slice(0, cursor)).slice(0, -1)
  const last = tokens.at(-1)
  const isString = last?.kind === 'unclosed' && last.hashes === null
  const isWord = last?.kind === 'word' && last.at + last.length === cursor
  const current = isString || isWord ? last : undefined
  const typed = current?.text ?? ''
  let to = cursor
  while (to < text.length && (isString || isWord) && (isString ? stringCharacter : wordCharacter).test(text.charAt(to))) to += 1
  if (isString && text.charAt(to) === '"') to += 1
  const place = placeAfter(current === undefined ? tokens : tokens.slice(0, -1))
  const isUseless =
    last !== undefined && !isString && !isWord && (last.kind === 'list' || last.kind === 'unclosed') && last.at + last.length === cursor
  const all =
    isUseless || (isString && place.expected !== 'comparand')
      ? []
      : suggestionsAt(place, context, isString || place.expected === 'comparand')
  const spaced = text.charAt(to) === ' ' ? all.map(withoutSpace) : all
  return { from: current?.at ?? cursor, to, typed, suggestions: rank(spaced, typed) }
}

const withoutSpace = (suggestion: Suggestion): Suggestion => ({ ...suggestion, insert: suggestion.insert.trimEnd() })

interface Frame {
  readonly open: string
  readonly call: string | null
  readonly left: Left
}

/** Goes through what is before the cursor; what is wrong in it does not matter. */
function placeAfter(tokens: readonly Token[]): Place {
  const frames: Frame[] = []
  let expected: Place['expected'] = 'operand'
  let left = nothing
  let operator: ComparisonOperator | null = null
  let name: string | null = null
  for (const { kind, text } of tokens) {
    const called = name
    name = null
    const isPlain = kind === 'word' || kind === 'symbol'
    const comparison = isPlain ? findComparison(text) : null
    if (isPlain && (isNegation(text) || findConnective(text) !== null)) {
      expected = 'operand'
    } else if (expected === 'operator' && comparison !== null) {
      operator = comparison
      expected = comparison === 'strict wildcard' ? 'wildcard' : 'comparand'
    } else if (expected === 'wildcard') {
      expected = text === 'wildcard' ? 'comparand' : 'nothing'
    } else if (kind === 'symbol' && (text === '(' || text === '[' || text === '{')) {
      frames.push({ open: text, call: text === '(' ? called : null, left })
      if (text === '(') expected = 'operand'
      else if (text === '[' || expected !== 'comparand') expected = 'nothing'
    } else if (kind === 'symbol' && (text === ')' || text === ']' || text === '}')) {
      const frame = frames.pop()
      if (frame?.open === '[') left = { ...frame.left, type: elementType(frame.left.type) ?? 'Unknown' }
      else if (frame?.call != null) left = { field: null, type: resultType(frame.call) }
      expected = frame?.open === '[' || frame?.call != null ? expectedAfter(left) : 'connective'
    } else if (kind === 'symbol' && text === ',') {
      expected = frames.at(-1)?.call == null ? 'nothing' : 'operand'
    } else if (expected === 'operand' && kind === 'word') {
      name = text
      left = { field: text, type: findField(text)?.type ?? 'Unknown' }
      expected = expectedAfter(left)
    } else {
      expected = frames.at(-1)?.open === '{' ? 'comparand' : frames.at(-1)?.open === '[' ? 'nothing' : 'connective'
    }
  }
  const isInAny = frames.some(({ call }) => call === 'any' || call === 'all')
  return { expected, left, operator, isInSet: frames.at(-1)?.open === '{', isInAny }
}

const expectedAfter = ({ type }: Left): Place['expected'] => (type === 'Boolean' ? 'connective' : 'operator')

function resultType(name: string): ExpressionType {
  const returns = findFunction(name)?.returns
  return returns === undefined || returns === 'same' ? 'Unknown' : returns
}

/** The usual ones first. */
const suggestedConnectives: readonly LogicalOperator[] = ['and', 'or', 'xor']

function suggestionsAt(place: Place, context: CompletionContext, isComparand: boolean): readonly Suggestion[] {
  if (place.expected === 'operand') return operands(place, context)
  if (place.expected === 'operator') return operators(place.left.type, context)
  if (place.expected === 'wildcard') return [operatorSuggestion('wildcard')]
  if (place.expected === 'connective') return suggestedConnectives.map((label) => ({ kind: 'connective', label, insert: `${label} ` }))
  return isComparand ? values(place, context) : []
}

function operands({ isInAny }: Place, context: CompletionContext): readonly Suggestion[] {
  const isValue = context.kind === 'value'
  const fields = Object.entries<ExpressionField>(expressionFields)
    .filter(
      ([, { plan, response }]) =>
        !lacksPlan(context.tier, plan) && (response !== true || context.phase === 'http_response_headers_transform'),
    )
    .map(([label, { type }]): Suggestion => {
      const suffix = isMap(type)
        ? `[""]${isArray(elementType(type) ?? type) ? (isInAny ? '[*]' : '[0]') : ''}`
        : isArray(type)
          ? isInAny
            ? '[*]'
            : '[0]'
          : ''
      const caret = isMap(type) ? { caret: label.length + 2 } : {}
      return { kind: 'field', label, type, insert: `${label}${suffix}${isValue ? '' : ' '}`, ...caret }
    })
  const functions = Object.entries<ExpressionFunction>(expressionFunctions)
    .filter(([, { plan, usesRegex, valuesOnly }]) => {
      if (lacksPlan(context.tier, usesRegex === true ? 'business' : plan)) return false
      return isValue || valuesOnly !== true
    })
    .map(([label, { returns }]): Suggestion => ({
      kind: 'function',
      label,
      type: returns === 'same' ? 'Unknown' : returns,
      insert: `${label}()`,
      caret: label.length + 1,
    }))
  return [...fields, ...functions, ...(isValue ? [] : [{ kind: 'operator', label: 'not', insert: 'not ' } as const])]
}

function operators(type: ExpressionType, { tier }: CompletionContext): readonly Suggestion[] {
  if (isArray(type) || isMap(type)) return []
  const known = type === 'String' || type === 'Number' || type === 'IP' ? operatorsOf[type] : operatorsOf.Unknown
  return known.filter((one) => one !== 'matches' || !lacksPlan(tier, 'business')).map(operatorSuggestion)
}

function operatorSuggestion(label: ComparisonOperator): Suggestion {
  return label === 'in' ? { kind: 'operator', label, insert: 'in {}', caret: 4 } : { kind: 'operator', label, insert: `${label} ` }
}

function values({ left: { field, type }, operator, isInSet }: Place, { countries = [] }: CompletionContext): readonly Suggestion[] {
  if (field === null || type !== 'String' || (operator === 'in' && !isInSet) || operator === 'matches') return []
  const known = countryFields.has(field)
    ? countries.map(({ code, name }) => ({ label: code, detail: name }))
    : (fieldValues.get(field) ?? []).map((label) => ({ label }))
  return known.map((value) => ({ kind: 'value', ...value, insert: `"${value.label}"${isInSet ? '' : ' '}` }))
}

/** Those that match what is typed, the best matches first; none if it is typed in full and cannot be continued. */
function rank(suggestions: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const search = typed.toLowerCase()
  const ranked = suggestions
    .map((suggestion) => ({ suggestion, score: scoreOf(suggestion, search) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ suggestion }) => suggestion)
  const [first, ...more] = ranked
  return more.length === 0 && first?.insert.trimEnd() === typed ? [] : ranked
}

/** 0 if it does not match. */
function scoreOf({ label, detail = '' }: Suggestion, search: string): number {
  const name = label.toLowerCase()
  if (name === search) return 4
  if (name.startsWith(search)) return 3
  if (matchesWord(name, search) || matchesWord(detail.toLowerCase(), search)) return 2
  return name.includes(search) ? 1 : 0
}

/** Whether a word of `text` begins with `search`. */
const matchesWord = (text: string, search: string): boolean =>
  text.startsWith(search) || ['.', '_', ' '].some((separator) => text.includes(`${separator}${search}`))
