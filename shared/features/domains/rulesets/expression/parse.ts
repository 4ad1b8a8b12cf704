import { longestExpression } from '../phases.ts'
import { type ExpressionContext, lacksPlan } from './context.ts'
import { type ExpressionField, findField, freeRateLimitFields, renamedFields } from './fields.ts'
import { acceptsType, type ExpressionFunction, findFunction } from './functions.ts'
import type { ExpressionError, ExpressionWarning } from './issues.ts'
import {
  type ComparisonOperator,
  findComparison,
  findConnective,
  isNegation,
  logicalOperators,
  operatorMeant,
  operatorsOf,
} from './operators.ts'
import { parseAddress } from './addresses.ts'
import { readComparand, readLiteral, readNumber, readStringLiteral } from './read-comparand.ts'
import { createReader, ExpressionFailure, type Reader } from './reader.ts'
import type { Argument, Condition, Operand, OperandIndex } from './syntax-tree.ts'
import type { Token } from './tokenize.ts'
import { arrayOf, elementType, type ExpressionType, isArray, isMap, typeWord } from './types.ts'

/** Deeper nesting is refused, so that no input exhausts the stack. */
const deepest = 100

export type ParsedExpression =
  | {
      readonly ok: true
      readonly ast: Argument
      /** The names of all fields in it, in their order. */
      readonly fields: readonly string[]
      readonly usesRegex: boolean
      readonly warnings: readonly ExpressionWarning[]
    }
  | { readonly ok: false; readonly error: ExpressionError; readonly warnings: readonly ExpressionWarning[] }

/**
 * Checks an expression of Cloudflare's rules language. It knows the common subset: an error is something that Cloudflare certainly refuses, a
 * warning something that only Cloudflare can decide. The time is proportional to the length.
 */
export function parseExpression(text: string, context: ExpressionContext): ParsedExpression {
  if (text.length > longestExpression) {
    const params = { characters: text.length, max: longestExpression }
    const place = { at: longestExpression, length: text.length - longestExpression }
    return { ok: false, error: { code: 'too_long', ...place, params }, warnings: [] }
  }
  const reader = createReader(text)
  const parser = createParser(reader, context)
  try {
    const ast = context.kind === 'value' ? parser.value() : parser.expression()
    return { ok: true, ast, fields: [...parser.fields], usesRegex: parser.usesRegex(), warnings: reader.warnings }
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error
    return { ok: false, error: error.issue, warnings: reader.warnings }
  }
}

interface TypedCondition {
  readonly condition: Condition
  /** Boolean, an array of them (after `[*]`), or unknown. */
  readonly type: ExpressionType
}
interface TypedOperand {
  readonly operand: Operand
  readonly type: ExpressionType
  /** It ends with or contains `[*]`: `type` is that of each element. */
  readonly isEach: boolean
  readonly place: { readonly at: number; readonly length: number }
}
interface TypedArgument {
  readonly argument: Argument
  readonly type: ExpressionType
  readonly isEach: boolean
}

const anyOrAll = { any: 'any()', all: 'all()' }
const identifier = /^[A-Za-z_]\w*(?:\.\w+)*$/
const position = /^\d{1,9}$/
const isBoolean = (type: ExpressionType): boolean => type === 'Boolean' || type === 'Array<Boolean>'

function createParser(reader: Reader, { phase, tier, kind = 'condition' }: ExpressionContext) {
  const fields = new Set<string>()
  let hasRegex = false
  let depth = 0
  /** An operand that was read before it was known to begin a condition. */
  let pending: TypedOperand | null = null

  function nested<T>(token: Token, read: () => T): T {
    depth += 1
    if (depth > deepest) reader.fail('too_deep', token, { max: deepest })
    const result = read()
    depth -= 1
    return result
  }

  function expression(): Condition {
    const start = reader.peek()
    const { condition, type } = logical(0)
    finish()
    if (type === 'Array<Boolean>') reader.fail('needs_any', start, anyOrAll)
    return condition
  }

  function value(): Argument {
    const { argument, isEach } = readArgument()
    finish()
    if (isEach) reader.fail('needs_any', { at: 0, length: reader.peek().at }, anyOrAll)
    return argument
  }

  function finish(): void {
    const { kind: found, text } = reader.peek()
    if (found === 'end') return
    if (found === 'symbol' && (text === ')' || text === ']' || text === '}')) reader.reject('unbalanced', { symbol: text })
    rejectConnective()
  }

  function rejectConnective(): never {
    const { kind: found, text } = reader.peek()
    const meant = found === 'word' || found === 'symbol' ? operatorMeant(text) : null
    return meant === null ? reader.reject('expected_connective') : reader.reject('operator_spelling', { meant })
  }

  function logical(level: number): TypedCondition {
    const operator = logicalOperators[level]
    if (operator === undefined) return unary()
    const first = logical(level + 1)
    const items = [first.condition]
    let { type } = first
    for (let token = reader.peek(); isConnective(token) === operator; token = reader.peek()) {
      reader.next()
      const item = logical(level + 1)
      if (type !== item.type && type !== 'Unknown' && item.type !== 'Unknown') reader.fail('mixed_conditions', token)
      if (type === 'Unknown') ({ type } = item)
      items.push(item.condition)
    }
    return items.length === 1 ? first : { condition: { kind: 'logical', operator, items }, type }
  }

  function unary(): TypedCondition {
    if (pending !== null) {
      const left = pending
      pending = null
      return comparison(left)
    }
    const token = reader.peek()
    const isName = token.kind === 'word'
    if ((isName || token.kind === 'symbol') && isNegation(token.text)) {
      reader.next()
      const { condition, type } = nested(token, unary)
      return { condition: { kind: 'not', item: condition }, type }
    }
    if (reader.take('(')) {
      const { condition, type } = nested(token, () => logical(0))
      if (!isClosing(reader.peek())) rejectConnective()
      reader.close(')', token)
      return { condition: { kind: 'group', item: condition }, type }
    }
    if (isName && (token.text === 'true' || token.text === 'false')) {
      reader.next()
      return { condition: { kind: 'constant', value: token.text === 'true' }, type: 'Boolean' }
    }
    return comparison(readOperand())
  }

  function comparison(left: TypedOperand): TypedCondition {
    const token = reader.peek()
    const operator = token.kind === 'word' || token.kind === 'symbol' ? findComparison(token.text) : null
    if (operator === null || (operator === 'bitwise_and' && left.type !== 'Number')) {
      if (!isBoolean(left.type) && left.type !== 'Unknown') rejectOperator(left)
      const type = left.isEach ? arrayOf(left.type) : left.type
      return { condition: { kind: 'operand', operand: left.operand }, type }
    }
    reader.next()
    if (operator === 'strict wildcard') {
      const second = reader.peek()
      if (second.kind !== 'word' || second.text !== 'wildcard') reader.reject('expected_operator')
      reader.next()
    }
    const type: ExpressionType = left.isEach ? 'Array<Boolean>' : 'Boolean'
    if (left.type === 'Boolean') return { condition: booleanComparison(left, operator, token), type }
    checkOperator(left, operator, token)
    const right = readComparand(reader, operator, left.type)
    return { condition: { kind: 'comparison', left: left.operand, operator, right }, type }
  }

  /** Documented without an operator; whether Cloudflare accepts it all the same is not. */
  function booleanComparison(left: TypedOperand, operator: ComparisonOperator, token: Token): Condition {
    const right = reader.peek()
    if (operator !== 'eq' && operator !== 'ne') reader.fail('operator_type', token, { operator: token.text, type: 'Boolean' })
    if (right.kind !== 'word' || (right.text !== 'true' && right.text !== 'false')) reader.reject('expected_value', { type: 'Boolean' })
    reader.next()
    reader.warn('boolean_comparison', token)
    return { kind: 'comparison', left: left.operand, operator, right: { kind: 'boolean', value: right.text === 'true' } }
  }

  function checkOperator(left: TypedOperand, operator: ComparisonOperator, token: Token): void {
    const { type } = left
    if (isArray(type) || isMap(type)) reader.fail('operator_type', token, { operator: token.text, type: typeWord(type) })
    const isOrder = operator === 'lt' || operator === 'le' || operator === 'gt' || operator === 'ge'
    if (type === 'IP' && isOrder) reader.warn('undocumented_operator', token, { name: token.text })
    else if ((type === 'String' || type === 'Number' || type === 'IP') && !operatorsOf[type].includes(operator))
      reader.fail('operator_type', token, { operator: token.text, type })
    if (operator === 'matches') requireRegex(token)
  }

  function requireRegex(token: Token): void {
    hasRegex = true
    if (lacksPlan(tier, 'business')) reader.fail('plan_lacks_regex', token, { plan: 'business' })
  }

  function rejectOperator(left: TypedOperand): never {
    const token = reader.peek()
    if (token.kind === 'end') return reader.fail('unexpected_end', token)
    if (token.kind === 'word' && findFunction(token.text)?.returns === 'Boolean')
      return reader.reject('function_as_operator', { name: token.text })
    const meant = token.kind === 'word' || token.kind === 'symbol' ? operatorMeant(token.text) : null
    if (meant !== null) return reader.reject('operator_spelling', { meant })
    if (isConnective(token) !== null || isClosing(token))
      return reader.fail('expected_condition', left.place, { type: typeWord(left.type) })
    return reader.reject('expected_operator')
  }

  function readOperand(): TypedOperand {
    const token = reader.peek()
    if (token.kind !== 'word' || !identifier.test(token.text) || isConnective(token) !== null || findComparison(token.text) !== null)
      return reader.reject('expected_field')
    reader.next()
    const open = reader.peek()
    const isCall = open.kind === 'symbol' && open.text === '('
    const source = isCall ? call(token) : { type: field(token), source: { kind: 'field', name: token.text } as const }
    return readIndexes(source, token)
  }

  function readIndexes({ source, type: start }: { source: Operand['source']; type: ExpressionType }, token: Token): TypedOperand {
    const indexes: OperandIndex[] = []
    let type = start
    let isEach = false
    for (let open = reader.peek(); reader.take('['); open = reader.peek()) {
      const element = elementType(type)
      if (element === null) return reader.fail('expected_operator', open, { found: '[' })
      const index = readIndex(type)
      reader.close(']', open)
      isEach ||= index.kind === 'each'
      indexes.push(index)
      type = element
    }
    return { operand: { source, indexes }, type, isEach, place: { at: token.at, length: reader.peek().at - token.at } }
  }

  function readIndex(type: ExpressionType): OperandIndex {
    const token = reader.peek()
    if (reader.take('*')) return { kind: 'each' }
    if (token.kind === 'string' && !isArray(type)) {
      const key = readStringLiteral(reader, 'text')
      if (key.kind === 'string') return { kind: 'key', key }
    }
    if (token.kind === 'word' && position.test(token.text) && !isMap(type))
      return { kind: 'position', position: Number(reader.next().text) }
    return reader.reject('expected_index', { type: typeWord(type) })
  }

  function field(token: Token): ExpressionType {
    const { text: name } = token
    fields.add(name)
    const known = findField(name)
    if (known === null) {
      reader.warn('unknown_field', token, { name })
      return 'Unknown'
    }
    const renamed = renamedFields.get(name)
    if (renamed !== undefined) reader.warn('renamed_field', token, { name, meant: renamed })
    checkAvailability(token, known)
    return known.type
  }

  function checkAvailability(token: Token, { plan, addOn, response }: ExpressionField): void {
    const { text: name } = token
    if (response === true && phase !== 'http_response_headers_transform') reader.fail('not_in_phase', token, { name })
    if (plan !== undefined && lacksPlan(tier, plan)) reader.fail('plan_lacks_field', token, { name, plan })
    if (addOn === true) reader.warn('needs_add_on', token, { name })
    if (name === 'cf.threat_score') reader.warn('always_zero', token, { name })
    if (phase === 'http_ratelimit' && tier === 'free' && !freeRateLimitFields.has(name))
      reader.warn('free_rate_limit', token, { name, plan: 'free' })
  }

  function call(token: Token): { readonly source: Operand['source']; readonly type: ExpressionType } {
    const { text: name } = token
    const known = findFunction(name)
    if (known === null) reader.warn('unknown_function', token, { name })
    else checkFunction(token, known)
    const open = reader.next()
    const read = nested(open, () => readArguments(token, open, known))
    const [first] = read
    const own: ExpressionType = known === null ? 'Unknown' : known.returns === 'same' ? (first?.type ?? 'Unknown') : known.returns
    const type = first?.isEach === true ? arrayOf(own) : own
    return { source: { kind: 'call', name, arguments: read.map(({ argument }) => argument) }, type }
  }

  function checkFunction(token: Token, { plan, valuesOnly, usesRegex }: ExpressionFunction): void {
    const { text: name } = token
    if (plan !== undefined && lacksPlan(tier, plan)) reader.fail('plan_lacks_function', token, { name, plan })
    if (valuesOnly === true && kind === 'condition') reader.warn('values_only', token, { name })
    if (usesRegex === true) requireRegex(token)
  }

  function readArguments(name: Token, open: Token, known: ExpressionFunction | null): readonly TypedArgument[] {
    const read: TypedArgument[] = []
    while (!reader.take(')')) {
      if (reader.peek().kind === 'end') return reader.fail('unbalanced', open, { symbol: '(' })
      if (read.length > 0 && !reader.take(',')) rejectConnective()
      const start = reader.peek()
      const argument = readArgument()
      const place = { at: start.at, length: Math.max(1, reader.peek().at - start.at) }
      if (argument.isEach && read.length > 0) reader.fail('each_not_first', place, { name: name.text })
      read.push(argument)
      if (known !== null) checkArgument(known, argument, { name: name.text, number: read.length }, place)
    }
    const required = known === null ? 0 : (known.required ?? known.parameters.length)
    if (read.length < required) reader.fail('argument_count', name, { name: name.text, expected: required })
    return read
  }

  function checkArgument(
    known: ExpressionFunction,
    { argument, type }: TypedArgument,
    params: { readonly name: string; readonly number: number },
    place: { readonly at: number; readonly length: number },
  ): void {
    const parameter = known.parameters[params.number - 1] ?? (known.repeats === true ? known.parameters.at(-1) : undefined)
    if (parameter === undefined) return reader.fail('argument_count', place, { name: params.name, expected: known.parameters.length })
    const isLiteral = argument.kind === 'string' || argument.kind === 'number' || argument.kind === 'address' || argument.kind === 'bytes'
    if (!acceptsType(parameter, type)) reader.fail('argument_type', place, { ...params, type: typeWord(type) })
    if (isLiteral && parameter.literal === 'refused') reader.fail('argument_not_literal', place, params)
    if (!isLiteral && parameter.literal === 'required') reader.fail('argument_literal', place, params)
  }

  function readArgument(): TypedArgument {
    const token = reader.peek()
    if (token.kind === 'string') return { argument: readStringLiteral(reader, 'text'), type: 'String', isEach: false }
    if (token.kind === 'word') {
      if (readNumber(token.text) !== null) return { argument: readLiteral(reader, 'Number'), type: 'Number', isEach: false }
      if (parseAddress(token.text) !== null) return { argument: readLiteral(reader, 'IP'), type: 'IP', isEach: false }
    }
    const isCondition =
      isNegation(token.text) || (token.kind === 'symbol' && token.text === '(') || token.text === 'true' || token.text === 'false'
    if (!isCondition) {
      const left = readOperand()
      const next = reader.peek()
      const isOperand = (next.kind === 'symbol' && (next.text === ',' || next.text === ')')) || next.kind === 'end'
      if (isOperand) return { argument: { kind: 'operand', operand: left.operand }, type: left.type, isEach: left.isEach }
      pending = left
    }
    const { condition, type } = logical(0)
    return { argument: condition, type, isEach: false }
  }

  return { expression, value, fields, usesRegex: () => hasRegex }
}

const isConnective = ({ kind, text }: Token) => (kind === 'word' || kind === 'symbol' ? findConnective(text) : null)
const isClosing = ({ kind, text }: Token): boolean => kind === 'end' || (kind === 'symbol' && (text === ')' || text === ','))
