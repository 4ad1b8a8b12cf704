/** The byte order mark marks the file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

/**
 * Where a spreadsheet starts a formula: at the start of a cell, also after a cell separator, which in many locales is a semicolon, and with
 * full-width variants of the signs.
 */
const formulas = /(^|[;\t\r\n])('*[" ]*[=+\-@＝＋－＠])/g

/** An apostrophe turns a formula into text; one that the text has itself is doubled, so that reading removes only ours. */
function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value.replaceAll(formulas, "$1'$2").replace(/^[\t\r\n]/, "'$&") : String(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`

/** Returns a complete CSV file. */
export const csvFile = (rows: readonly (readonly (string | number | boolean | null | undefined)[])[]): string =>
  byteOrderMark + rows.map(csvLine).join('')

interface CsvRow {
  /** The line in which the row starts, counted from 1. */
  readonly line: number
  /** Without the apostrophes that `csvLine` puts before formulas; null if a quotation mark is never closed. */
  readonly cells: readonly string[] | null
}

const separators = [',', ';', '\t'] as const
type Separator = (typeof separators)[number]
const guards = /(^|[;\t\r\n])'('*[" ]*[=+\-@＝＋－＠])/g

/**
 * Reads the rows of a CSV file one after another, without blank lines. Cells are separated by commas, semicolons or tabs, as the first row is.
 */
export function* readCsv(given: string): Generator<CsvRow> {
  const text = given.startsWith(byteOrderMark) ? given.slice(1) : given
  const separator = separatorOf(text)
  let line = 1
  for (let at = 0; at < text.length;) {
    const row = readRow(text, at, separator)
    if (row.cells === null || row.cells.some((each) => each !== '')) yield { line, cells: row.cells }
    line += row.breaks
    at = row.end
  }
}

/** The separator that splits the first row that is not blank into most cells. */
function separatorOf(text: string): Separator {
  const start = text.search(/[^\r\n]/)
  const cellsWith = (separator: Separator) => (start === -1 ? 0 : (readRow(text, start, separator).cells?.length ?? 0))
  let [best, most]: [Separator, number] = [',', 0]
  for (const separator of separators) {
    const count = cellsWith(separator)
    if (count > most) [best, most] = [separator, count]
  }
  return best
}

/** `end`: where the next row starts; `breaks`: the number of lines of the row. */
function readRow(text: string, start: number, separator: Separator) {
  const cells: string[] = []
  let breaks = 0
  for (let at = start; ; at += 1) {
    let value: string
    if (text[at] === '"') {
      const end = endOfQuoted(text, at)
      if (end === -1) return { cells: null, breaks: breaks + 1, end: text.length }
      const quoted = text.slice(at + 1, end)
      breaks += quoted.split('\n').length - 1
      at = nextBreak(text, end + 1, separator)
      // What follows a closing quotation mark belongs to the cell, as in spreadsheets.
      value = quoted.replaceAll('""', '"') + text.slice(end + 1, at)
    } else {
      const from = at
      at = nextBreak(text, at, separator)
      value = text.slice(from, at)
    }
    cells.push(value.replaceAll(guards, '$1$2').trim())
    if (text[at] === separator) continue
    const end = text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1
    return { cells, breaks: breaks + 1, end }
  }
}

function nextBreak(text: string, from: number, separator: Separator): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]
    if (char === separator || char === '\n' || char === '\r') return at
  }
  return text.length
}

/** Where the quotation mark is that closes the one at `start`; -1 if there is none. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1 || text[at + 1] !== '"') return at
  }
}
