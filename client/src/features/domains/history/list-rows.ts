import type { Entry } from './queries.ts'
import type { Day, EntryGroup } from './group-entries.ts'

/** A rendered row of the history. `first` and `last` refer to its day. */
export type HistoryRow =
  | { readonly kind: 'day'; readonly key: string; readonly ms: number }
  | { readonly kind: 'group'; readonly key: string; readonly group: EntryGroup; readonly first: boolean; readonly last: boolean }
  | {
      readonly kind: 'entry'
      readonly key: string
      readonly entry: Entry
      /** Indented under its group. */
      readonly inner: boolean
      readonly first: boolean
      readonly last: boolean
    }

/** Calls with more changes than this are collapsed. */
const expandedAtMost = 5

/** All rows in one list, so that only visible ones are rendered; `open`: the ids of expanded groups. */
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
