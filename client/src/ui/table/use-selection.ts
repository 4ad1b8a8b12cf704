import { useCallback, useMemo, useState } from 'react'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import { toast } from '#client/lib/toast.ts'
import type { TableSelection } from './data-table.types.ts'

/** Rows of a list, some of which may not be loaded. */
interface Rows<Row> {
  readonly length: number
  readonly at: (index: number) => Row | undefined
}

type Entry<Id, Kept> = readonly [id: Id, kept: Kept]

interface Selection<Row, Id, Kept> {
  /** The stored entry of each selected row by its id: in row order if all are loaded, otherwise in the order of selection. */
  readonly selected: ReadonlyMap<Id, Kept>
  readonly selectedRows: readonly Kept[]
  readonly select: (rows: readonly Row[], selected: boolean) => void
  /** Including those that are not loaded. */
  readonly selectAll: () => Promise<void>
  readonly clear: () => void
  /** For the table. */
  readonly table: TableSelection<Row>
}

/** Stores the row itself by its id. */
export const wholeRow = <Row extends { readonly id: string }>(row: Row): Entry<string, Row> => [row.id, row]

/**
 * The selection of a list; Escape clears it.
 * @param entryOf a row's id and the stored entry
 * @param rest for a partly loaded list; without it the list is complete, and a row that leaves it is deselected
 */
export function useSelection<Row, Id extends string | number, Kept>({
  rows,
  entryOf,
  rest,
}: {
  readonly rows: Rows<Row>
  readonly entryOf: (row: Row) => Entry<Id, Kept>
  readonly rest?: {
    /** The total; undefined while unknown. */
    readonly total: number | undefined
    readonly readAll: () => Promise<readonly Entry<Id, Kept>[]>
    /** Shown if the whole list cannot be loaded. */
    readonly failure: string
  }
}): Selection<Row, Id, Kept> {
  const [kept, setKept] = useState<ReadonlyMap<Id, Kept>>(new Map())
  const isWhole = rest === undefined
  const selected = useMemo(() => {
    if (!isWhole || kept.size === 0) return kept
    return new Map(loaded(rows, 0, rows.length - 1).flatMap((row) => [entryOf(row)].filter(([id]) => kept.has(id))))
  }, [rows, entryOf, kept, isWhole])
  const selectedRows = useMemo(() => [...selected.values()], [selected])

  const mark = (entries: readonly Entry<Id, Kept>[], isSelected: boolean): void =>
    setKept((before) => {
      const after = new Map(before)
      for (const [id, value] of entries) {
        if (isSelected) after.set(id, value)
        else after.delete(id)
      }
      return after
    })
  const select = (some: readonly Row[], isSelected: boolean): void => mark(some.map(entryOf), isSelected)
  const selectRead = async (from: number, to: number, isSelected: boolean): Promise<void> => {
    if (rest === undefined) return
    try {
      mark((await rest.readAll()).slice(from, to + 1), isSelected)
    } catch (error) {
      toast.failure(error, rest.failure)
    }
  }
  /** Both ends inclusive. */
  const selectRange = (from: number, to: number, isSelected: boolean): void => {
    const known = loaded(rows, from, to)
    if (isWhole || known.length > to - from) select(known, isSelected)
    else void selectRead(from, to, isSelected)
  }
  const selectAll = async (): Promise<void> => {
    if (isWhole) select(loaded(rows, 0, rows.length - 1), true)
    else await selectRead(0, Infinity, true)
  }
  const total = rest === undefined ? rows.length : rest.total
  const clear = useCallback((): void => setKept(new Map()), [])
  useShortcuts({ Escape: clear }, kept.size > 0)
  return {
    selected,
    selectedRows,
    select,
    selectAll,
    clear,
    table: {
      isSelected: (row) => selected.has(entryOf(row)[0]),
      all: selected.size === 0 ? 'none' : total !== undefined && selected.size >= total ? 'all' : 'some',
      onToggleAll: (isSelected) => (isSelected ? void selectAll() : clear()),
      onToggle: (row, isSelected) => select([row], isSelected),
      onRange: selectRange,
    },
  }
}

function loaded<Row>(rows: Rows<Row>, from: number, to: number): Row[] {
  const found: Row[] = []
  for (let index = from; index <= Math.min(to, rows.length - 1); index += 1) {
    const row = rows.at(index)
    if (row !== undefined) found.push(row)
  }
  return found
}
