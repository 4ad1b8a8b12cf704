import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/lib/toast.ts'
import type { TableSelection } from '#client/ui/data-table.types.ts'
import { collectNames, type Item, type ItemRows, type ItemsFilter } from './use-items.ts'

/** Chosen items by their position, with the name of each. */
export function useItemSelection(
  id: string,
  filter: ItemsFilter,
  rows: ItemRows,
): { chosen: ReadonlyMap<number, string>; clear: () => void; table: TableSelection<Item> } {
  const { t } = useTranslation('operations')
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map())
  const set = (items: readonly Pick<Item, 'position' | 'displayName'>[], selected: boolean): void =>
    setChosen((before) => {
      const next = new Map(before)
      for (const { position, displayName } of items) {
        if (selected) next.set(position, displayName)
        else next.delete(position)
      }
      return next
    })
  /** Of rows that were not on screen yet, some are read first. */
  const setListed = (from: number, to: number, selected: boolean): void => {
    const known = Array.from({ length: to - from + 1 }, (_, index) => rows.rowAt(from + index))
    const loaded = known.filter((row) => row !== undefined)
    if (loaded.length === known.length) return set(loaded, selected)
    collectNames(id, filter).then(
      (items) => set(items.slice(from, to + 1), selected),
      (error: unknown) => toast.failure(error, t('selection.failed')),
    )
  }
  const clear = (): void => setChosen(new Map())
  return {
    chosen,
    clear,
    table: {
      isSelected: ({ position }) => chosen.has(position),
      all: chosen.size === 0 ? 'none' : chosen.size >= rows.count ? 'all' : 'some',
      onToggleAll: (selected) => {
        if (!selected) return clear()
        // What is shown may go on below what has been read.
        collectNames(id, filter).then(
          (items) => set(items, true),
          (error: unknown) => toast.failure(error, t('selection.failed')),
        )
      },
      onToggle: (row, selected) => set([row], selected),
      onRange: setListed,
    },
  }
}
