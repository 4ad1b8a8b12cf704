/** The byte order mark marks the file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

/**
 * Where a spreadsheet starts a formula: at the start of a cell, also after a cell separator, which in many locales is a semicolon, and with
 * full-width variants of the signs.
 */
const formulas = /(^|[;\t\r\n])([" ]*[=+\-@＝＋－＠])/g

/** An apostrophe turns a formula into text. */
function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value.replaceAll(formulas, "$1'$2").replace(/^[\t\r\n]/, "'$&") : String(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`

/** Returns a complete CSV file. */
export const csvFile = (rows: readonly (readonly (string | number | boolean | null | undefined)[])[]): string =>
  byteOrderMark + rows.map(csvLine).join('')
