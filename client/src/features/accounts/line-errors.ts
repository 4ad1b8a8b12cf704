import type { LineFault } from '#shared/features/accounts/schema.ts'

/** What the server said of lines, by their text: it stays true while other lines are edited. */
export type LineErrors = ReadonlyMap<string, LineFault['message']>

const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)

/** What was a fault beside an earlier line is one beside the account that this line became. */
const nowThat: Partial<Record<LineFault['message'], LineFault['message']>> = {
  duplicate_line: 'account_exists',
  email_with_other_key: 'account_has_other_key',
}

/** What nobody sees in the line. */
const ofServer: ReadonlySet<LineFault['message']> = new Set(['account_exists', 'account_has_other_key', 'key_refused'])

/** After an answer. Of lines that were added another of the same account is left over: that account is here now. */
export function withAnswer(lineErrors: LineErrors, text: string, faults: readonly LineFault[], added: boolean): LineErrors {
  const lines = linesOf(text)
  return new Map([
    ...lineErrors,
    ...faults.flatMap(({ line, message }) => {
      const shown = added ? (nowThat[message] ?? message) : message
      // What is wrong with a line on its own is seen without being reported.
      return ofServer.has(shown) ? [[lines[line - 1] ?? '', shown] as const] : []
    }),
  ])
}

/** The faults of a text: what is wrong with its lines on their own, and what the server said of the others. */
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

/** The lines that were not added, for the field. */
export const leftOver = (text: string, faults: readonly LineFault[]): string => {
  const lines = linesOf(text)
  return faults.map(({ line }) => lines[line - 1] ?? '').join('\n')
}
