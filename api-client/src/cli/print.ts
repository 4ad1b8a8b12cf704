export type Row = Readonly<Record<string, string | number | boolean | null>>
export type Format = 'table' | 'json' | 'csv'

// Texts in lists are untrusted: they must not move the cursor or color the terminal.
const plain = (value: Row[string]) => (value === null ? '' : String(value)).replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')

/**
 * Quoted if necessary. A value that a spreadsheet would evaluate as a formula becomes text, also after a semicolon, the separator in many
 * locales.
 */
function csvCell(value: Row[string]): string {
  const text = value === null ? '' : String(value)
  const isText = typeof value === 'string'
  const safe = isText ? text.replaceAll(/(^|[;\t\r\n])([" ]*[=+\-@＝＋－＠])/g, "$1'$2").replace(/^[\t\r\n]/, "'$&") : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function table(rows: readonly Row[], columns: readonly string[]): string {
  const cells = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => columns.map((column) => plain(row[column] ?? null)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  return cells
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** @param whole the output of `--json`: the complete response of the panel */
export function listed(format: Format, rows: readonly Row[], columns: readonly string[], whole: unknown): string {
  if (format === 'json') return JSON.stringify(whole, null, 2)
  if (format === 'csv')
    return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))]
      .map((line) => line.map(csvCell).join(','))
      .join('\r\n')
  return rows.length === 0 ? 'None.' : table(rows, columns)
}

/** `1 domain`, `2 domains`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** One line per name and value. */
export function detailsOf(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`)
    .join('\n')
}

const barWidth = 24

/** `[######      ] 12/48, 1 failed`. */
export function bar({
  done,
  failed,
  skipped,
  total,
}: {
  readonly done: number
  readonly failed: number
  readonly skipped: number
  readonly total: number
}): string {
  const ended = done + failed + skipped
  const full = total === 0 ? barWidth : Math.round((ended / total) * barWidth)
  return `[${'#'.repeat(full)}${' '.repeat(barWidth - full)}] ${ended}/${total}${failed > 0 ? `, ${failed} failed` : ''}`
}
