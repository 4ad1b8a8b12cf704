import { strip } from '#shared/text.ts'

/** The most names in one look-up. */
export const mostNames = 10_000

interface PastedName {
  /** From 1. */
  line: number
  name: string
}

/**
 * Extracts names with their line numbers from pasted text: lines, commas, spaces, spreadsheet columns. The server extracts the name from a URL.
 */
export const pastedNames = (text: string): PastedName[] =>
  text.split('\n').flatMap((row, index) =>
    row
      .split(/[\s,;]+/)
      .map((part) => strip(part, `"'`).slice(0, 300))
      .filter((part) => part !== '')
      .map((name) => ({ line: index + 1, name })),
  )
