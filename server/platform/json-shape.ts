import { AppError } from '#shared/errors/app-error.ts'

/** No input has more than a dozen levels, with a batch around it. Recursion over thousands would overflow the stack. */
const mostLevels = 40
const quote = 0x22
const backslash = 0x5c

/**
 * Checks JSON text before it is parsed, because objects take twenty times its memory: a body of commas and braces would become millions of
 * them. Invalid JSON is left to the parser.
 * @throws AppError body_too_large for more members and elements than the call accepts, validation_failed for excessive nesting
 */
export function assertJsonShape(text: string, mostValues: number): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        values += 1
        if (depth > mostLevels) throw new AppError('validation_failed', { issues: [{ path: '', message: 'too_deep' }] })
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case 0x2c: // ,
        values += 1
        break
    }
    if (values > mostValues) throw new AppError('body_too_large')
  }
}

/** The end of the string that starts at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}

/** Whether a parsed input has more levels than JSON text may have: a query is not checked as text. */
export function isTooDeep(input: unknown): boolean {
  let level: unknown[] = [input]
  for (let depth = 0; depth < mostLevels; depth += 1) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) next.push(inner)
    }
    if (next.length === 0) return false
    level = next
  }
  return true
}

/** A JSON object: neither null nor a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
