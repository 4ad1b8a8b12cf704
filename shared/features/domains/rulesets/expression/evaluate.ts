import type { ComparisonOperator } from './operators.ts'
import { readNumber } from './read-comparand.ts'
import type { Argument, Comparand, Operand } from './syntax-tree.ts'
import { matchWildcard } from './wildcard.ts'

/** A value of an expression; null if it depends on more than the address that is requested. */
type Value = string | boolean | bigint | null

/** Whether a visit of this address matches; null if that depends on more than its address. */
export function evaluateCondition(condition: Argument, url: URL): boolean | null {
  const value = valueOf(condition, url)
  return typeof value === 'boolean' ? value : null
}

/** The text that an expression computes for a visit of this address; null if that depends on more. */
export function evaluateText(expression: Argument, url: URL): string | null {
  const value = valueOf(expression, url)
  return typeof value === 'string' ? value : null
}

function valueOf(argument: Argument, url: URL): Value {
  switch (argument.kind) {
    case 'string':
      return argument.value
    case 'number':
      return readNumber(argument.text)
    case 'boolean':
    case 'constant':
      return argument.value
    case 'address':
    case 'bytes':
      return null
    case 'group':
      return valueOf(argument.item, url)
    case 'not': {
      const value = valueOf(argument.item, url)
      return typeof value === 'boolean' ? !value : null
    }
    case 'operand':
      return operandOf(argument.operand, url)
    case 'logical':
      return logical(
        argument.operator,
        argument.items.map((item) => valueOf(item, url)),
      )
    case 'comparison':
      return compare(operandOf(argument.left, url), argument.operator, argument.right)
  }
}

/** A part that is not known does not matter if the others decide. */
function logical(operator: 'or' | 'xor' | 'and', values: readonly Value[]): boolean | null {
  if (operator === 'and' && values.includes(false)) return false
  if (operator === 'or' && values.includes(true)) return true
  if (!values.every((value) => typeof value === 'boolean')) return null
  if (operator === 'xor') return values.filter(Boolean).length % 2 === 1
  return operator === 'and'
}

function operandOf({ source, indexes }: Operand, url: URL): Value {
  if (indexes.length > 0) return null
  if (source.kind === 'field') return fields.get(source.name)?.(url) ?? null
  const given = source.arguments.map((argument) => valueOf(argument, url))
  return given.includes(null) ? null : (functions.get(source.name)?.(given) ?? null)
}

const queryOf = ({ search }: URL): string => search.slice(1)

function extensionOf({ pathname }: URL): string {
  const file = pathname.slice(pathname.lastIndexOf('/') + 1)
  const dot = file.lastIndexOf('.')
  return dot === -1 ? '' : file.slice(dot + 1).toLowerCase()
}

const fields: ReadonlyMap<string, (url: URL) => Value> = new Map(
  Object.entries<(url: URL) => Value>({
    ssl: ({ protocol }) => protocol === 'https:',
    'http.host': ({ host }) => host,
    'http.request.full_uri': ({ origin, pathname, search }) => `${origin}${pathname}${search}`,
    'http.request.uri': ({ pathname, search }) => `${pathname}${search}`,
    'http.request.uri.path': ({ pathname }) => pathname,
    'http.request.uri.path.extension': extensionOf,
    'http.request.uri.query': queryOf,
    // Addresses of browsers are normalized already.
    'raw.http.request.full_uri': ({ origin, pathname, search }) => `${origin}${pathname}${search}`,
    'raw.http.request.uri': ({ pathname, search }) => `${pathname}${search}`,
    'raw.http.request.uri.path': ({ pathname }) => pathname,
    'raw.http.request.uri.path.extension': extensionOf,
    'raw.http.request.uri.query': queryOf,
    // A visitor opens the address.
    'http.request.method': () => 'GET',
  }),
)

type Call = (given: readonly Value[]) => Value
const ofText =
  (run: (text: string) => Value): Call =>
  ([text]) =>
    typeof text === 'string' ? run(text) : null
const ofTexts =
  (run: (text: string, part: string) => Value): Call =>
  ([text, part]) =>
    typeof text === 'string' && typeof part === 'string' ? run(text, part) : null

/** Regular expressions are not evaluated: Cloudflare's are those of Rust. */
const functions: ReadonlyMap<string, Call> = new Map(
  Object.entries<Call>({
    lower: ofText((text) => text.toLowerCase()),
    upper: ofText((text) => text.toUpperCase()),
    len: ofText((text) => BigInt(new TextEncoder().encode(text).length)),
    starts_with: ofTexts((text, part) => text.startsWith(part)),
    ends_with: ofTexts((text, part) => text.endsWith(part)),
    to_string: ([value]) => (value === null || value === undefined ? null : String(value)),
    concat: (given) => (given.every((part) => typeof part === 'string') ? given.join('') : null),
    substring: ([text, start, end]) =>
      typeof text === 'string' && isAscii(text) && typeof start === 'bigint' && (end === undefined || typeof end === 'bigint')
        ? text.slice(Number(start), end === undefined ? undefined : Number(end))
        : null,
    wildcard_replace: ([text, pattern, replacement, flags = '']) =>
      typeof text === 'string' && typeof pattern === 'string' && typeof replacement === 'string' && typeof flags === 'string'
        ? replaceWildcard(text, pattern, replacement, flags)
        : null,
  }),
)

const isAscii = (text: string): boolean => new TextEncoder().encode(text).length === text.length

/** `${1}` is what the first `*` stands for; null if that is not certain. */
function replaceWildcard(text: string, pattern: string, replacement: string, flags: string): string | null {
  const found = matchWildcard(text, pattern, flags.includes('s'))
  if (found === null) return text
  const { captures } = found
  if (captures === null || replacement.includes('\\')) return null
  return replacement.replaceAll(/\$\{(\d+)\}/g, (_, number: string) => captures[Number(number) - 1] ?? '')
}

function compare(left: Value, operator: ComparisonOperator, right: Comparand): boolean | null {
  if (left === null || right.kind === 'list') return null
  if (right.kind === 'set') return isIn(left, right.items)
  const value = literalOf(right)
  if (value === null || typeof value !== typeof left) return null
  if (typeof left === 'string' && typeof value === 'string') {
    if (operator === 'contains') return left.includes(value)
    if (operator === 'wildcard' || operator === 'strict wildcard')
      return matchWildcard(left, value, operator === 'strict wildcard') !== null
  }
  switch (operator) {
    case 'eq':
      return left === value
    case 'ne':
      return left !== value
    case 'lt':
      return left < value
    case 'le':
      return left <= value
    case 'gt':
      return left > value
    case 'ge':
      return left >= value
    default:
      return null
  }
}

function literalOf(literal: Exclude<Comparand, { kind: 'set' | 'list' }>): Value {
  if (literal.kind === 'string' || literal.kind === 'boolean') return literal.value
  return literal.kind === 'number' ? readNumber(literal.text) : null
}

function isIn(left: NonNullable<Value>, items: Extract<Comparand, { kind: 'set' }>['items']): boolean | null {
  let isCertain = true
  for (const item of items) {
    const value = item.kind === 'range' ? null : literalOf(item)
    if (value === left) return true
    if (value === null) isCertain = false
  }
  return isCertain ? false : null
}
