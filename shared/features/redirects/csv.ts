import { csvFile, readCsv } from '#shared/csv.ts'
import type { RedirectIssue } from './issues.ts'
import { checkRedirect, mostRedirects } from './schema.ts'
import type { Redirect, RedirectStatus } from './schema.ts'

/** In Cloudflare's order, with its names; the defaults of omitted cells are Cloudflare's too. */
const columns = [
  'source_url',
  'target_url',
  'status_code',
  'preserve_query_string',
  'include_subdomains',
  'subpath_matching',
  'preserve_path_suffix',
] as const
type Column = (typeof columns)[number]

/** Other names of columns in a header. */
const otherNames: ReadonlyMap<string, Column> = new Map(
  Object.entries({
    source: 'source_url',
    from: 'source_url',
    target: 'target_url',
    destination: 'target_url',
    to: 'target_url',
    status: 'status_code',
    code: 'status_code',
  } as const),
)

export interface RedirectLineError {
  /** Counted from 1, as in an editor. */
  readonly line: number
  readonly issue: RedirectIssue
  /** The line that already has this source. */
  readonly firstLine?: number
}

export interface ParsedRedirects {
  readonly redirects: readonly Redirect[]
  /** At most one per line, in line order. */
  readonly lineErrors: readonly RedirectLineError[]
  /** The file has more than 100,000 rows; the others were not read. */
  readonly isTooLong: boolean
}

/** Parses a CSV file of redirects, with or without a header. Returns all valid lines and the errors of the others. */
export function parseRedirects(text: string): ParsedRedirects {
  const redirects: Redirect[] = []
  const lineErrors: RedirectLineError[] = []
  const lines = new Map<string, number>()
  let order: readonly (Column | null)[] = columns
  let rows = 0
  let isFirst = true
  for (const { line, cells } of readCsv(text)) {
    const header = isFirst && cells !== null ? headerOf(cells) : null
    isFirst = false
    if (header !== null) {
      order = header
      continue
    }
    rows += 1
    if (rows > mostRedirects) return { redirects, lineErrors, isTooLong: true }
    const read = cells === null ? { issue: 'quote_open' as const } : redirectOf(cells, order)
    if ('issue' in read) {
      lineErrors.push({ line, issue: read.issue })
      continue
    }
    const firstLine = lines.get(read.source)
    if (firstLine === undefined) {
      lines.set(read.source, line)
      redirects.push(read)
    } else lineErrors.push({ line, issue: 'duplicate_source', firstLine })
  }
  return { redirects, lineErrors, isTooLong: false }
}

/** A file that `parseRedirects` reads as the same redirects. */
export const writeRedirects = (redirects: readonly Redirect[]): string =>
  csvFile([
    columns,
    ...redirects.map((each) => [
      each.source,
      each.target,
      each.status,
      each.preserveQueryString,
      each.includeSubdomains,
      each.subpathMatching,
      each.preservePathSuffix,
    ]),
  ])

/** Null: the row is not a header. Columns with other names are ignored. */
function headerOf(cells: readonly string[]): (Column | null)[] | null {
  const found = cells.map((cell): Column | null => {
    const name = cell.toLowerCase().replaceAll(/[ -]/g, '_')
    return columns.find((column) => column === name) ?? otherNames.get(name) ?? null
  })
  return found.includes('source_url') && found.includes('target_url') ? found : null
}

function redirectOf(cells: readonly string[], order: readonly (Column | null)[]): Redirect | { readonly issue: RedirectIssue } {
  if (cells.length > order.length && cells.slice(order.length).some((cell) => cell !== '')) return { issue: 'columns_invalid' }
  const of = (column: Column) => {
    const at = order.indexOf(column)
    return at === -1 ? '' : (cells[at] ?? '')
  }
  const status = statusOf(of('status_code'))
  if (status === null) return { issue: 'status_invalid' }
  const flags = [of('preserve_query_string'), of('include_subdomains'), of('subpath_matching'), of('preserve_path_suffix')].map(flagOf)
  if (flags.includes(null)) return { issue: 'flag_invalid' }
  const [preserveQueryString = false, includeSubdomains = false, subpathMatching = false, preservePathSuffix = false] = flags as boolean[]
  const given: Redirect = {
    source: of('source_url'),
    target: of('target_url'),
    status,
    preserveQueryString,
    includeSubdomains,
    subpathMatching,
    preservePathSuffix,
  }
  const { source, issues } = checkRedirect(given)
  const [wrong] = issues
  return wrong === undefined ? { ...given, source } : { issue: wrong.issue }
}

const statuses = new Map<string, RedirectStatus>(Object.entries({ '': 301, 301: 301, 302: 302, 307: 307, 308: 308 } as const))
const statusOf = (text: string): RedirectStatus | null => statuses.get(text) ?? null

const flagsByText = new Map(Object.entries({ '': false, false: false, no: false, 0: false, true: true, yes: true, 1: true }))
const flagOf = (text: string): boolean | null => flagsByText.get(text.toLowerCase()) ?? null
