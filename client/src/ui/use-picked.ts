import { useState } from 'react'
import { toast } from '#client/lib/toast.ts'
import type { TableSelection } from './data-table.types.ts'

export interface Picked<Row, Kept> {
  /** What is kept of each, by its id, in the order of picking. */
  readonly picked: ReadonlyMap<string, Kept>
  readonly pick: (rows: readonly Row[], selected: boolean) => void
  /** Those that are not here too. */
  readonly pickAll: () => Promise<void>
  readonly clear: () => void
  /** For the table. */
  readonly selection: TableSelection<Row>
}

/**
 * What is selected of a list of which only a part is here.
 * @param entryOf a row's id, and what is kept of it
 * @param total of the whole list; undefined: not known yet
 * @param failure what is said where the whole list cannot be read
 */
export function usePicked<Row, Kept>({
  rows,
  total,
  entryOf,
  readAll,
  failure,
}: {
  readonly rows: readonly Row[]
  readonly total: number | undefined
  readonly entryOf: (row: Row) => readonly [id: string, kept: Kept]
  readonly readAll: () => Promise<Iterable<readonly [id: string, kept: Kept]>>
  readonly failure: string
}): Picked<Row, Kept> {
  const [picked, setPicked] = useState<ReadonlyMap<string, Kept>>(new Map())
  const pick = (some: readonly Row[], selected: boolean): void =>
    setPicked((before) => {
      const after = new Map(before)
      for (const [id, kept] of some.map(entryOf)) {
        if (selected) after.set(id, kept)
        else after.delete(id)
      }
      return after
    })
  const pickAll = async (): Promise<void> => {
    try {
      setPicked(new Map(await readAll()))
    } catch (error) {
      toast.failure(error, failure)
    }
  }
  const clear = (): void => setPicked(new Map())
  return {
    picked,
    pick,
    pickAll,
    clear,
    selection: {
      isSelected: (row) => picked.has(entryOf(row)[0]),
      all: picked.size === 0 ? 'none' : picked.size === total ? 'all' : 'some',
      onToggleAll: (selected) => (selected ? void pickAll() : clear()),
      onToggle: (row, selected) => pick([row], selected),
      onRange: (from, to, selected) => pick(rows.slice(from, to + 1), selected),
    },
  }
}
