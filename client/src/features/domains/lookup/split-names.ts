import { strip } from '#shared/text.ts'

/** The most names in one look-up. */
export const mostNames = 10_000

/** Spaces separate names; a line without names is one entry, verbatim. */
const ofLine = (line: string): string[] => {
  const words = line.trim().split(/\s+/)
  return words.every((word) => word.includes('.')) ? words : [line.trim()]
}

const unquoted = (part: string): string[] => {
  const name = strip(part, `"'`).slice(0, 300)
  return name === '' ? [] : [name]
}

/**
 * Extracts names from pasted text: lines, commas, spaces, spreadsheet columns. URLs stay whole: the server extracts the name and reports the
 * rest.
 */
export const splitNames = (text: string): string[] =>
  text
    .split(/[\n\r\t,;]+/)
    .flatMap(ofLine)
    .flatMap(unquoted)

/** All words with their line numbers, from 1. */
export const pastedNames = (text: string): { line: number; name: string }[] =>
  text.split('\n').flatMap((row, index) =>
    row
      .split(/[\s,;]+/)
      .flatMap(unquoted)
      .map((name) => ({ line: index + 1, name })),
  )

/** Whether text pasted into the search is a list of names and not a part of one. */
export const isListOfNames = (text: string): boolean => splitNames(text).length > 1
