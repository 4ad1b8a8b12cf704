/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** A cell that a spreadsheet would take for a formula is made text by an apostrophe. */
function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`
