import type { Item } from './use-items.ts'

/** A cell that a spreadsheet would take for a formula is made text by an apostrophe. */
function cell(value: string | null): string {
  if (value === null) return ''
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const byteOrderMark = '\uFEFF'

/** What failed and why. Headings are the same in every language, so that scripts can read the file. */
export const failuresCsv = (items: readonly Item[], wordsOf: (code: string) => string): string =>
  byteOrderMark +
  [
    ['domain', 'account', 'code', 'reason', 'provider', 'finishedAt'],
    ...items.map(({ domain, account, code, message, finishedAt }) => [domain, account, code, code && wordsOf(code), message, finishedAt]),
  ]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')
