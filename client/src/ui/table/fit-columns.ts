export interface FittedColumn {
  id: string
  /** What it has where there is no room for more; less only if its content needs less. */
  width: number
  /** What its title and the cells that are shown need. */
  need: number
  /** What its title needs: it is not cut, so the column is never narrower unless it was sized so. */
  title?: number
  /** Sized by the person: stays so. */
  fixed?: boolean
  /** The name of the row: has what it needs before the others do. */
  name?: boolean
}

/** Content that is very long is cut, so that one cell does not push the other columns out of view. */
const longestPx = 480

/**
 * Widths by content: each column has what it needs. Where there is too little room, the widest columns lose first, and the name last;
 * none becomes narrower than its own `width` or its title, so beyond that the table is scrolled sideways.
 */
export function fitColumns(columns: readonly FittedColumn[], room: number): Record<string, number> {
  const fitted = columns.map((column) => {
    const { id, width, need, title = 0, fixed = false, name = false } = column
    const most = fixed ? width : Math.min(need, Math.max(longestPx, width))
    return { id, least: Math.min(most, Math.max(width, title)), most, name }
  })
  const sum = (widths: readonly number[]): number => widths.reduce((all, each) => all + each, 0)
  const [names, others] = [fitted.filter(({ name }) => name), fitted.filter(({ name }) => !name)]
  const forOthers = Math.max(room - sum(names.map(({ most }) => most)), sum(others.map(({ least }) => least)))
  const forNames = room - Math.min(forOthers, sum(others.map(({ most }) => most)))
  return { ...share(others, forOthers), ...share(names, forNames) }
}

interface Span {
  id: string
  least: number
  most: number
}

/** Lowers the widest to one common limit until all of them have room. */
function share(spans: readonly Span[], room: number): Record<string, number> {
  const at = (limit: number): number[] => spans.map(({ least, most }) => Math.min(most, Math.max(least, limit)))
  const total = (limit: number): number => at(limit).reduce((all, each) => all + each, 0)
  let [low, high] = [0, Math.max(0, ...spans.map(({ most }) => most))]
  if (total(high) > room) {
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (total(middle) > room) high = middle
      else low = middle
    }
    high = low
  }
  const widths = at(high)
  return Object.fromEntries(spans.map(({ id }, index) => [id, widths[index] ?? 0]))
}

/** Columns that are not shown: a person's choice holds whatever is the default in this window. */
export const hiddenColumns = (
  columns: readonly { readonly id: string; readonly hiddenAtFirst?: boolean }[],
  selected: Readonly<Record<string, boolean>>,
): ReadonlySet<string> => new Set(columns.filter(({ id, hiddenAtFirst = false }) => !(selected[id] ?? !hiddenAtFirst)).map(({ id }) => id))
