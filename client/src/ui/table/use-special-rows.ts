import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useMemo, useState } from 'react'
import type { DataTableProps, SpecialRow } from './data-table.types.ts'

interface SpecialRows {
  heightOf: (index: number) => number
  rangeExtractor: (range: Range) => number[]
  onHeight: (id: string, height: number) => void
}

const plain: ReadonlyMap<string, SpecialRow> = new Map()

function kindOf(name: string): [id: string, kind: SpecialRow['kind']] {
  const space = name.indexOf(' ')
  return [name.slice(space + 1), name.slice(0, space) === 'instead' ? 'instead' : 'below']
}

/** The measured heights of special rows, and the editors that must stay mounted. */
export function useSpecialRows<Row>(
  { special = plain, getRow, getRowId }: Pick<DataTableProps<Row>, 'special' | 'getRow' | 'getRowId'>,
  count: number,
  rowHeight: number,
): SpecialRows {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  // Depends on their ids, not on their content: an editor is a new element on every keystroke.
  const names = [...special].map(([id, { kind }]) => `${kind} ${id}`).join('\n')
  const kinds = useMemo(() => new Map(names.split('\n').map(kindOf)), [names])
  // A list without special rows is not measured again when its rows change.
  const rowsNow = special.size > 0 ? getRow : null
  const searched = rowsNow === null ? 0 : count
  const places = useMemo(() => {
    const found = new Map<number, { id: string; kind: SpecialRow['kind'] }>()
    for (let index = 0; index < searched; index += 1) {
      const row = rowsNow?.(index)
      const id = row === undefined ? undefined : getRowId(row)
      const kind = id === undefined ? undefined : kinds.get(id)
      if (id !== undefined && kind !== undefined) found.set(index, { id, kind })
    }
    return found
  }, [kinds, rowsNow, searched, getRowId])
  return useMemo(
    () => ({
      heightOf: (index) => {
        const place = places.get(index)
        if (place === undefined) return rowHeight
        const own = heights.get(place.id)
        return place.kind === 'instead' ? (own ?? rowHeight) : rowHeight + (own ?? 0)
      },
      rangeExtractor: (range) => {
        const shown = defaultRangeExtractor(range)
        const kept = [...places].filter(([, { kind }]) => kind === 'instead').map(([index]) => index)
        return kept.every((index) => shown.includes(index)) ? shown : [...new Set([...shown, ...kept])].toSorted((a, b) => a - b)
      },
      onHeight: (id, height) => setHeights((before) => (before.get(id) === height ? before : new Map(before).set(id, height))),
    }),
    [places, heights, rowHeight],
  )
}
