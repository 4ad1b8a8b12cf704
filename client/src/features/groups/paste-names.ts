import { strip } from '#shared/text.ts'

/** The most names that one look-up takes. */
export const mostNames = 10_000

interface PastedName {
  /** From 1. */
  line: number
  name: string
}

/** Names out of anything pasted, with their lines: lines, commas, spaces, a column of a spreadsheet. The server finds the name in an address. */
export const pastedNames = (text: string): PastedName[] =>
  text.split('\n').flatMap((row, index) =>
    row
      .split(/[\s,;]+/)
      .map((part) => strip(part, `"'`).slice(0, 300))
      .filter((part) => part !== '')
      .map((name) => ({ line: index + 1, name })),
  )
