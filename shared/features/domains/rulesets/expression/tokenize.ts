export interface Token {
  /** `unclosed` is a string without its end, `invalid` a character that the language does not have outside of strings. */
  readonly kind: 'word' | 'string' | 'list' | 'symbol' | 'unclosed' | 'invalid' | 'end'
  readonly at: number
  readonly length: number
  /** As written; of a string what is between its delimiters. */
  readonly text: string
  /** The number of `#` of a raw string; null if it is not raw. */
  readonly hashes: number | null
}

const space = /\s/
/** Names, numbers, addresses and their ranges, and text without quotes: which of them is decided where it is expected. */
export const wordCharacter = /[\p{L}\w.:/-]/u
const symbols = ['==', '!=', '<=', '>=', '<>', '&&', '||', '^^'] as const
const symbolCharacters = '()[]{},*!=<>~&|^'

/** All parts of an expression, ending with one of kind `end`. Never fails, and looks at each character a fixed number of times. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const add = (kind: Token['kind'], end: number, part = text.slice(at, end), hashes: number | null = null): void => {
    tokens.push({ kind, at, length: end - at, text: part, hashes })
    at = end
  }
  const endOfWord = (from: number): number => {
    let end = from
    while (end < text.length && wordCharacter.test(text.charAt(end))) end += 1
    return end
  }
  while (at < text.length) {
    const character = text.charAt(at)
    if (space.test(character)) {
      at += 1
      continue
    }
    const raw = character === 'r' ? rawDelimiter(text, at) : null
    if (character === '"' || raw !== null) {
      const start = at + 1 + (raw === null ? 0 : raw + 1)
      const close = raw === null ? endOfQuoted(text, start) : text.indexOf(`"${'#'.repeat(raw)}`, start)
      if (close < 0) add('unclosed', text.length, text.slice(start), raw)
      else add('string', close + 1 + (raw ?? 0), text.slice(start, close), raw)
    } else if (character === '$') {
      add('list', endOfWord(at + 1))
    } else if (wordCharacter.test(character)) {
      add('word', endOfWord(at))
    } else if (symbolCharacters.includes(character)) {
      add('symbol', at + (symbols.find((symbol) => text.startsWith(symbol, at))?.length ?? 1))
    } else {
      // A whole code point, so that an error never shows half of it.
      add('invalid', at + String.fromCodePoint(text.codePointAt(at) ?? 0).length)
    }
  }
  add('end', at)
  return tokens
}

/** The number of `#` in the beginning of a raw string at this place; null if none begins here. */
function rawDelimiter(text: string, at: number): number | null {
  let quote = at + 1
  while (text.charAt(quote) === '#') quote += 1
  return text.charAt(quote) === '"' ? quote - at - 1 : null
}

/** The index of the quote that ends a string, -1 if there is none. A backslash hides the character after it. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1
    else if (text.charAt(at) === '"') return at
  }
  return -1
}
