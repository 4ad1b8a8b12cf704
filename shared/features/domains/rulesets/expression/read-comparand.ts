import { checkNetwork, parseAddress } from './addresses.ts'
import type { ComparisonOperator } from './operators.ts'
import type { Reader } from './reader.ts'
import { checkRegex, checkWildcard, readString } from './strings.ts'
import type { Comparand, Literal } from './syntax-tree.ts'
import type { Token } from './tokenize.ts'
import { type ExpressionType, typeWord } from './types.ts'

const decimal = /^-?\d+$/
const hexadecimal = /^0x[0-9a-f]+$/i
const bytes = /^[0-9a-f]{2}(?:[:.-][0-9a-f]{2})*$/i
const listName = /^\$[a-z0-9_]+(?:\.[a-z0-9_]+)*$/
const largestNumber = 2n ** 63n - 1n

/** Null if it is no whole number of 64 bits. A number that begins with 0 is octal. */
export function readNumber(text: string): bigint | null {
  if (hexadecimal.test(text)) return inBounds(BigInt(text))
  if (!decimal.test(text)) return null
  const isOctal = text.length > 1 && text.startsWith('0')
  if (isOctal) return /^[0-7]+$/.test(text) ? inBounds(BigInt(`0o${text}`)) : null
  return inBounds(BigInt(text))
}
const inBounds = (value: bigint): bigint | null => (value > largestNumber || value < -largestNumber - 1n ? null : value)

/** A string, quoted or raw. Its pattern is checked where it is one. */
export function readStringLiteral(reader: Reader, use: 'text' | 'regex' | 'wildcard'): Literal {
  const token = reader.peek()
  if (token.kind === 'word') return reader.reject('expected_quotes', { name: token.text })
  if (token.kind !== 'string') return reader.reject('expected_value', { type: 'String' })
  reader.next()
  const start = token.at + token.length - token.text.length - 1 - (token.hashes ?? 0)
  const read = readString(token, use === 'regex', (at) =>
    reader.warn('undocumented_escape', { at: start + at, length: 2 }, { name: token.text.slice(at, at + 2) }),
  )
  if ('code' in read)
    return reader.fail(read.code, { at: start + read.at, length: read.length }, { found: token.text.slice(read.at, read.at + 2) })
  const problem = use === 'regex' ? checkRegex(read.value) : use === 'wildcard' ? checkWildcard(read.value) : null
  if (problem !== null) reader.fail(problem.code, token, { found: read.value.slice(problem.at, problem.at + problem.length) })
  return { kind: 'string', value: read.value, hashes: token.hashes }
}

/** A value of this type; of an unknown type, any value. */
export function readLiteral(reader: Reader, type: ExpressionType): Literal {
  const token = reader.peek()
  if (token.kind === 'string' && (type === 'String' || type === 'Unknown')) return readStringLiteral(reader, 'text')
  if (token.kind !== 'word') return reader.reject('expected_value', { type: typeWord(type) })
  if (type === 'Number') return readNumberWord(reader, token)
  if (type === 'IP') return readAddressWord(reader, token)
  const isUnknown = type === 'Unknown'
  if (isUnknown && readNumber(token.text) !== null) return readNumberWord(reader, token)
  if (isUnknown && parseAddress(token.text) !== null) return readAddressWord(reader, token)
  if (bytes.test(token.text)) {
    reader.warn('bytes', token, { name: token.text })
    return { kind: 'bytes', text: reader.next().text }
  }
  return reader.reject('expected_quotes', { name: token.text })
}

function readNumberWord(reader: Reader, token: Token): Literal {
  if (readNumber(token.text) === null) reader.fail('invalid_number', token, { found: token.text })
  return { kind: 'number', text: reader.next().text }
}

function readAddressWord(reader: Reader, token: Token): Literal {
  if (parseAddress(token.text) !== null) return { kind: 'address', text: reader.next().text }
  const isRange = token.text.includes('..') || checkNetwork(token.text) !== 'invalid'
  return reader.fail(isRange ? 'network_needs_set' : 'invalid_ip', token, { found: token.text, operator: 'in' })
}

/** What `operator` compares with: the right side of a comparison with a left side of this type. */
export function readComparand(reader: Reader, operator: ComparisonOperator, type: ExpressionType): Comparand {
  if (operator === 'contains') return readStringLiteral(reader, 'text')
  if (operator === 'matches') return readStringLiteral(reader, 'regex')
  if (operator === 'wildcard' || operator === 'strict wildcard') return readStringLiteral(reader, 'wildcard')
  if (operator !== 'in') return readLiteral(reader, type)
  const open = reader.peek()
  if (open.kind === 'list') {
    if (!listName.test(open.text)) reader.fail('invalid_list', open, { found: open.text })
    return { kind: 'list', name: reader.next().text.slice(1) }
  }
  if (!reader.take('{')) return reader.reject('expected_set', { operator: 'in' })
  const items: (Literal | { readonly kind: 'range'; readonly text: string })[] = []
  while (!reader.take('}')) {
    const token = reader.peek()
    if (token.kind === 'end') return reader.fail('unbalanced', open, { symbol: '{' })
    if (token.kind === 'symbol' && token.text === ',') return reader.reject('comma_in_set')
    items.push(readRange(reader, token, type) ?? readLiteral(reader, type))
  }
  if (items.length === 0) reader.warn('empty_set', open)
  return { kind: 'set', items }
}

/** A range or network; null if it is a single value. */
function readRange(reader: Reader, token: Token, type: ExpressionType): { readonly kind: 'range'; readonly text: string } | null {
  if (token.kind !== 'word' || type === 'String') return null
  const { text } = token
  if (text.includes('/')) {
    if (type === 'Number') return null
    const state = checkNetwork(text)
    if (state === 'invalid') return reader.fail('invalid_ip', token, { found: text })
    if (state === 'host_bits') reader.warn('host_bits', token, { name: text })
  } else {
    const dots = text.indexOf('..')
    if (dots < 0) return null
    const first = text.slice(0, dots)
    const last = text.slice(dots + 2)
    const numbers = [readNumber(first), readNumber(last)] as const
    if (type !== 'IP' && numbers[0] !== null && numbers[1] !== null) {
      if (numbers[0] > numbers[1]) return reader.fail('invalid_range', token, { found: text })
    } else {
      const [from, to] = [parseAddress(first), parseAddress(last)]
      if (type === 'Number' || from === null || to === null || from.bits !== to.bits)
        return reader.fail('invalid_range', token, { found: text })
      if (from.value > to.value) reader.warn('backward_range', token, { name: text })
    }
  }
  return { kind: 'range', text: reader.next().text }
}
