import type { Entry } from './queries.ts'

/** The entries of one call, or a single entry. */
export interface EntryGroup {
  id: string
  entries: readonly Entry[]
}
export interface Day {
  /** Its local midnight. */
  ms: number
  groups: EntryGroup[]
}

/** Days with their changes, newest first; changes of one call are grouped. */
export function groupEntries(entries: readonly Entry[]): Day[] {
  const days: Day[] = []
  for (const entry of entries) {
    const ms = new Date(entry.at).setHours(0, 0, 0, 0)
    let day = days.at(-1)
    if (day?.ms !== ms) days.push((day = { ms, groups: [] }))
    const group = day.groups.at(-1)
    if (entry.batchId !== null && group !== undefined && group.entries[0]?.batchId === entry.batchId) {
      day.groups[day.groups.length - 1] = { ...group, entries: [...group.entries, entry] }
    } else {
      day.groups.push({ id: entry.id, entries: [entry] })
    }
  }
  return days
}
