import { strip } from '#shared/text.ts'

/** The most names that one look-up takes. */
export const mostNames = 10_000

/** Spaces part names; a line of words that are none is one entry, as it was written. */
const ofLine = (line: string): string[] => {
  const words = line.trim().split(/\s+/)
  return words.every((word) => word.includes('.')) ? words : [line.trim()]
}

/**
 * Names out of anything pasted: lines, commas, spaces, a column of a spreadsheet. Addresses stay whole: the server finds the name
 * in them, and says what it makes of the rest.
 */
export const splitNames = (text: string): string[] =>
  text
    .split(/[\n\r\t,;]+/)
    .flatMap(ofLine)
    .map((part) => strip(part, `"'`).slice(0, 300))
    .filter((part) => part !== '')

/** Whether a paste into the search field is a list of names and not one part of a name. */
export const isListOfNames = (text: string): boolean => splitNames(text).length > 1
