import type { Token } from './tokenize.ts'

/** A character of a string that Cloudflare refuses, by its place in the string. */
interface StringProblem {
  readonly code: 'invalid_escape' | 'double_wildcard' | 'unsupported_regex'
  readonly at: number
  readonly length: number
}

const hexByte = /^[0-9a-f]{2}$/i
const octalByte = /^[0-3][0-7]{2}$/

/**
 * What a quoted or raw string means. In a quoted regular expression only `\"` is an escape of the string.
 * @param onUnconfirmed is called if it has an escape that is not documented
 */
export function readString(
  { text, hashes }: Token,
  isRegex: boolean,
  onUnconfirmed: (at: number) => void,
): { readonly value: string } | StringProblem {
  if (hashes !== null || !text.includes('\\')) return { value: text }
  let value = ''
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    if (character !== '\\') {
      value += character
    } else if (isRegex) {
      value += next === '"' ? next : character + next
      at += 1
    } else if (next === '"' || next === '\\') {
      value += next
      at += 1
    } else if (next === 'x' && hexByte.test(text.slice(at + 2, at + 4))) {
      value += String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 4), 16))
      at += 3
    } else if (octalByte.test(text.slice(at + 1, at + 4))) {
      value += String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 4), 8))
      at += 3
    } else if (next === 'n' || next === 'r' || next === 't') {
      onUnconfirmed(at)
      value += { n: '\n', r: '\r', t: '\t' }[next]
      at += 1
    } else {
      return { code: 'invalid_escape', at, length: 2 }
    }
  }
  return { value }
}

/** `**` is refused. A backslash hides the character after it. */
export function checkWildcard(pattern: string): StringProblem | null {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern.charAt(at) === '\\') at += 1
    else if (pattern.startsWith('**', at)) return { code: 'double_wildcard', at, length: 2 }
  }
  return null
}

const lookAround = ['(?=', '(?!', '(?<=', '(?<!'] as const

/** Cloudflare's regular expressions are those of Rust: without look-around and back-references. */
export function checkRegex(pattern: string): StringProblem | null {
  let isClass = false
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at)
    const next = pattern.charAt(at + 1)
    if (character === '\\') {
      if (!isClass && next >= '1' && next <= '9') return { code: 'unsupported_regex', at, length: 2 }
      at += 1
    } else if (isClass) {
      isClass = character !== ']'
    } else if (character === '[') {
      isClass = true
    } else {
      const found = lookAround.find((start) => pattern.startsWith(start, at))
      if (found !== undefined) return { code: 'unsupported_regex', at, length: found.length }
    }
  }
  return null
}
