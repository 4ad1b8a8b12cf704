export interface FittedColumn {
  id: string
  /** The width when there is no room for more; less only if the content needs less. */
  width: number
  /** The width needed by its header and the visible cells. */
  need: number
  /** The width needed by its header: the column is never narrower unless the user resized it. */
  title?: number
  /** Resized by the user: fixed. */
  fixed?: boolean
  /** The name of the row: gets its width before the others. */
  name?: boolean
}

/** Very long content is truncated, so that one cell does not push the other columns out of view. */
const longestPx = 480
/** A name keeps this width even if the table has to scroll, but leaves most of the room to the columns that scroll beside it. */
const keptName = { px: 360, share: 0.45 }

/**
 * Fits widths to the content. Without enough room, the widest columns shrink first; none becomes narrower than its `width` or its header, so
 * beyond that the table scrolls horizontally. Names shrink last, and only if they would leave too little room for the columns that scroll beside them.
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
  const forNames = Math.max(
    room - Math.min(forOthers, sum(others.map(({ most }) => most))),
    Math.min(keptName.px, Math.floor(room * keptName.share)),
  )
  return { ...share(others, forOthers), ...share(names, forNames) }
}

interface Span {
  id: string
  least: number
  most: number
}

/** Lowers the widest columns to a common limit until all fit. */
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

/** The hidden columns: a choice of the user overrides the default at this width. */
export const hiddenColumns = (
  columns: readonly { readonly id: string; readonly hiddenAtFirst?: boolean | 'narrow' }[],
  selected: Readonly<Record<string, boolean>>,
  isNarrow: boolean,
): ReadonlySet<string> => {
  const isHidden = (hidden: boolean | 'narrow') => (hidden === 'narrow' ? isNarrow : hidden)
  return new Set(columns.filter(({ id, hiddenAtFirst = false }) => !(selected[id] ?? !isHidden(hiddenAtFirst))).map(({ id }) => id))
}
