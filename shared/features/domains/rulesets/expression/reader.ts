import type { ExpressionError, ExpressionErrorCode, ExpressionWarning, ExpressionWarningCode } from './issues.ts'
import { type Token, tokenize } from './tokenize.ts'

type Place = Pick<Token, 'at' | 'length'>
type Params = ExpressionError['params']

/** Ends the parsing of an expression; `parseExpression` catches it. */
export class ExpressionFailure extends Error {
  readonly issue: ExpressionError
  constructor(issue: ExpressionError) {
    super(issue.code)
    this.issue = issue
  }
}

/** Goes through the tokens of an expression once. */
export interface Reader {
  readonly warnings: readonly ExpressionWarning[]
  /** The next token, without going on. */
  peek(): Token
  next(): Token
  /** Goes on if the next token is this symbol. */
  take(symbol: string): boolean
  /** Goes on after the symbol that closes what `open` opened. */
  close(symbol: string, open: Token): void
  fail(code: ExpressionErrorCode, place: Place, params?: Params): never
  warn(code: ExpressionWarningCode, place: Place, params?: Params): void
  /** Fails at the next token, which is not what is needed; `code` says what is. */
  reject(code: ExpressionErrorCode, params?: Params): never
}

export function createReader(text: string): Reader {
  const tokens = tokenize(text)
  const end: Token = { kind: 'end', at: text.length, length: 0, text: '', hashes: null }
  const warnings: ExpressionWarning[] = []
  let position = 0
  const peek = (): Token => tokens[position] ?? end
  const next = (): Token => {
    const token = peek()
    position += 1
    return token
  }
  const fail = (code: ExpressionErrorCode, { at, length }: Place, params: Params = {}): never => {
    throw new ExpressionFailure({ code, at, length, params })
  }
  const reject = (code: ExpressionErrorCode, params: Params = {}): never => {
    const token = peek()
    if (token.kind === 'end') return fail('unexpected_end', token)
    if (token.kind === 'unclosed') return fail('unbalanced', { at: token.at, length: 1 }, { symbol: '"' })
    if (token.kind === 'invalid') return fail('invalid_character', token, { found: token.text })
    return fail(code, token, { found: text.slice(token.at, token.at + token.length), ...params })
  }
  const take = (symbol: string): boolean => {
    const { kind, text: found } = peek()
    if (kind !== 'symbol' || found !== symbol) return false
    position += 1
    return true
  }
  return {
    warnings,
    peek,
    next,
    take,
    close: (symbol, open) => {
      if (take(symbol)) return
      if (peek().kind === 'end') fail('unbalanced', open, { symbol: open.text })
      reject(symbol === ']' ? 'expected_index' : 'expected_connective')
    },
    fail,
    reject,
    warn: (code, { at, length }, params = {}) => {
      const isKnown = warnings.some(
        (known) => known.code === code && known.params['name'] !== undefined && known.params['name'] === params['name'],
      )
      if (!isKnown) warnings.push({ code, at, length, params })
    },
  }
}
