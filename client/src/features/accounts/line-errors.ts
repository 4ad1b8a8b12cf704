import type { LineFault } from '#shared/features/accounts/schema.ts'

/** The server's errors by the text of the line, so that they stay valid while other lines are edited. */
export type LineErrors = ReadonlyMap<string, LineFault['message']>

const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)

/** A conflict with an earlier line becomes a conflict with the account that this line became. */
const nowThat: Partial<Record<LineFault['message'], LineFault['message']>> = {
  duplicate_line: 'account_exists',
  email_with_other_key: 'account_has_other_key',
}

/** Errors that the line itself does not show. */
const ofServer: ReadonlySet<LineFault['message']> = new Set(['account_exists', 'account_has_other_key', 'key_refused'])

/** After a response. A remaining line for an account that was just added now conflicts with that account. */
export function withAnswer(lineErrors: LineErrors, text: string, faults: readonly LineFault[], added: boolean): LineErrors {
  const lines = linesOf(text)
  return new Map([
    ...lineErrors,
    ...faults.flatMap(({ line, message }) => {
      const shown = added ? (nowThat[message] ?? message) : message
      // Local errors are shown without the server.
      return ofServer.has(shown) ? [[lines[line - 1] ?? '', shown] as const] : []
    }),
  ])
}

/** The errors of a text: local ones of each line, and the server's for the rest. */
export function allFaults(
  text: string,
  parsed: { readonly items: readonly { readonly line: number }[]; readonly faults: readonly LineFault[] },
  lineErrors: LineErrors,
): { faults: readonly LineFault[]; good: number } {
  const lines = linesOf(text)
  const extra = parsed.items.flatMap(({ line }): LineFault[] => {
    const message = lineErrors.get(lines[line - 1] ?? '')
    return message === undefined ? [] : [{ line, message }]
  })
  return { faults: [...parsed.faults, ...extra].toSorted((a, b) => a.line - b.line), good: parsed.items.length - extra.length }
}

/** The text of the lines that were not added. */
export const leftOver = (text: string, faults: readonly LineFault[]): string => {
  const lines = linesOf(text)
  return faults.map(({ line }) => lines[line - 1] ?? '').join('\n')
}
