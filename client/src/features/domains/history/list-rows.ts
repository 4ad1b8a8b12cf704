import type { Entry } from './queries.ts'
import type { Day, EntryGroup } from './group-entries.ts'

/** A line of the history as it is drawn. `first` and `last`: of its day. */
export type HistoryRow =
  | { readonly kind: 'day'; readonly key: string; readonly ms: number }
  | { readonly kind: 'group'; readonly key: string; readonly group: EntryGroup; readonly first: boolean; readonly last: boolean }
  | {
      readonly kind: 'entry'
      readonly key: string
      readonly entry: Entry
      /** Under the line of its group. */
      readonly inner: boolean
      readonly first: boolean
      readonly last: boolean
    }

/** More of one call than these are folded up. */
const expandedAtMost = 5

/** Everything in one list, so that only what is on screen has to be in the page; `open`: groups that are unfolded, by id. */
export function listRows(days: readonly Day[], open: ReadonlySet<string>): readonly HistoryRow[] {
  return days.flatMap(({ ms, groups }): HistoryRow[] => {
    const lines = groups.flatMap((group): HistoryRow[] => {
      const collapsed = group.entries.length > expandedAtMost
      const entries = (inner: boolean) =>
        group.entries.map((entry): HistoryRow => ({ kind: 'entry', key: entry.id, entry, inner, first: false, last: false }))
      if (!collapsed) return entries(false)
      return [{ kind: 'group', key: `group ${group.id}`, group, first: false, last: false }, ...(open.has(group.id) ? entries(true) : [])]
    })
    const ends = lines.map((line, index) =>
      line.kind === 'day' ? line : { ...line, first: index === 0, last: index === lines.length - 1 },
    )
    return [{ kind: 'day', key: `day ${ms}`, ms }, ...ends]
  })
}
