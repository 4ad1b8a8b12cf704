/** Informs spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/**
 * Where a spreadsheet begins a formula: at the start of a cell, also behind what parts cells for it, which in many countries is a
 * semicolon, and in the full-width signs that some take for the others.
 */
const formulas = /(^|[;\t\r\n])([" ]*[=+\-@＝＋－＠])/g

/** What would be a formula is made text by an apostrophe. */
function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value.replaceAll(formulas, "$1'$2").replace(/^[\t\r\n]/, "'$&") : String(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`

/** A whole file. */
export const csvFile = (rows: readonly (readonly (string | number | boolean | null | undefined)[])[]): string =>
  byteOrderMark + rows.map(csvLine).join('')
